import type { Weekday } from '../../../machines/week.ts';
import { ofTokens } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { button, type Keyboard, type RichText, rich } from '../kit/screen.ts';

/** What a schedule would cost where a text has just come out. */
export type AutomationOffer = {
  publicationId: number;
  categoryId: number;
  connectionId: number;
  /** Of one publication, at most. */
  price: number;
};

export const presets = [
  { code: '1w', label: 'Пн 10:00', days: ['mon'] },
  { code: '3w', label: 'Пн Ср Пт 10:00', days: ['mon', 'wed', 'fri'] },
  { code: '5w', label: 'Будни 10:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
  { code: '7w', label: 'Каждый день 10:00', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] },
] as const satisfies { code: string; label: string; days: Weekday[] }[];
export const PRESET_TIME = '10:00';

const offered: readonly string[] = ['3w', '5w'];

/** Below the result of a publication: the bot can go on by itself. */
export const automationText = ({ price }: AutomationOffer): RichText =>
  rich`<b>Дальше бот может публиковать сам.</b> Три раза в неделю — до ${ofTokens(price * 3)} в неделю, по будням — до ${ofTokens(price * 5)}. Выключить можно в любой момент.`;

export const automationRows = ({
  publicationId,
  categoryId: cid,
  connectionId: nid,
}: AutomationOffer): Keyboard => [
  presets
    .filter(({ code }) => offered.includes(code))
    .map(({ code, label }) => button(label, to('sched:{cid}:{nid}:preset:{code}', { cid, nid, code }))),
  [
    button('Выбрать дни и часы', to('sched:{cid}:{nid}:manual', { cid, nid })),
    button('Позже', to('automation:{n}:later', { n: publicationId })),
  ],
];

/** Where nothing is offered, the way there stays. */
export const automationRow = (cid: number, nid: number): Keyboard => [
  [button('Автопубликация', to('sched:{cid}:{nid}:open', { cid, nid }))],
];

export const automationNotice = rich`Хорошо, пока вручную. Расписание ждёт в категории: кнопка «Расписание» у каждого подключения.`;
