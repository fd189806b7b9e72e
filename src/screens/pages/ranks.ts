import { plural } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { toProject } from './projects.ts';

export type ShownRank = { id: number; keyword: string; positions: (number | null)[] };

const MOST_SHOWN = 15;
/** Behind everything that search shows. */
const NOT_FOUND = 101;

/** Where the articles of a project stand in search. */
export function ranksScreen(
  { pid, projectName }: { pid: number; projectName: string },
  ranks: readonly ShownRank[],
  plot: { bytes: Uint8Array; name: string } | null,
): Screen {
  const head = rich`<b>Позиции в поиске</b> · ${projectName}`;
  if (ranks.length === 0)
    return {
      text: paragraphs(
        head,
        rich`Пока нет данных. Каждый понедельник бот смотрит в Google, на каком месте стоят ваши статьи за последние 90 дней.`,
      ),
      keyboard: [[toProject(pid)]],
    };
  const hidden = ranks.length - MOST_SHOWN;
  return {
    text: paragraphs(
      head,
      lines(...ranks.slice(0, MOST_SHOWN).map(rankLine)),
      hidden > 0 && rich`И ещё ${plural(hidden, 'статья', 'статьи', 'статей')}.`,
      rich`<i>Google, первые сто мест, раз в неделю.</i>`,
    ),
    keyboard: [[toProject(pid)], [menuButton]],
    ...(plot && { photo: plot }),
  };
}

function rankLine({ keyword, positions }: ShownRank): RichText {
  const [before, now] = positions.length > 1 ? positions.slice(-2) : [undefined, positions[0]];
  return rich`${markOf(before, now ?? null)} ${placeInWords(now ?? null)} — ${keyword}`;
}

const placeInWords = (place: number | null): string =>
  place === null || place >= NOT_FOUND ? 'дальше 100-го' : `${place}-е место`;

function markOf(before: number | null | undefined, now: number | null): string {
  if (before === undefined) return '•';
  const change = (before ?? NOT_FOUND) - (now ?? NOT_FOUND);
  return change > 0 ? '↑' : change < 0 ? '↓' : '→';
}

/** An article that fell two weeks running. */
export const fallingScreen = ({
  id: n,
  keyword,
  positions,
}: {
  id: number;
  keyword: string;
  positions: readonly number[];
}): Screen => ({
  text: paragraphs(
    rich`<b>Статья теряет позиции</b>`,
    lines(
      rich`«${keyword}»: ${positions.map((place) => (place >= NOT_FOUND ? '100+' : String(place))).join(' → ')} за три недели.`,
      rich`Обычно помогает обновить её на том же адресе: бот сравнит её с нынешней выдачей и покажет отличия до публикации.`,
    ),
  ),
  keyboard: [
    [button('Обновить статью', to('publication:{n}:refresh', { n }), 'primary')],
    [button('Написать новую', to('publication:{n}:rewrite', { n }))],
    [menuButton],
  ],
});
