import { makeReseal } from '../../store/reseal.ts';
import { defineSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

export const resealSubcommand = defineSubcommand({
  name: 're-seal',
  summary: 'seal all credentials anew under the first ENCRYPTION_KEY, so that the others can be taken out',
  changes: true,
  options: {},
  async run({ sql, sealing }) {
    const places = await makeReseal(sql, sealing)();
    const table = textTable(places, [
      ['where', ({ place }) => place],
      ['sealed anew', ({ resealed }) => resealed],
      ['already', ({ current }) => current],
      ['no key opens', ({ unreadable }) => unreadable],
    ]);
    return {
      text: `${table}\n\nDialogues keep what was typed in them for a day: keep the old key that long.`,
      data: places,
    };
  },
});
