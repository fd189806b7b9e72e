import { moscowTime, number, plural } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { type Mark, markedText } from '../kit/marked-text.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { cancelButton } from '../kit/system.ts';

export const audiences = ['all', 'active_7d', 'active_30d', 'paid'] as const;
export type Audience = (typeof audiences)[number];

/** `photo` is a file that the messenger keeps. */
export type BroadcastContent = { text: string; marks: readonly Mark[]; photo: string | null };

export type Broadcast = {
  id: number;
  adminId: number;
  audience: Audience;
  content: BroadcastContent;
  /** Also to people who switched news off. */
  isImportant: boolean;
  status: 'draft' | 'sending' | 'stopped' | 'done';
  recipients: number;
  sent: number;
  blocked: number;
  failed: number;
  unknown: number;
  unwanted: number;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  progressMessage: string | null;
};

/** Telegram's limit for the words below a picture. */
export const MOST_UNDER_PICTURE = 1024;

const titles: Readonly<Record<Audience, string>> = {
  all: 'Все',
  active_7d: 'Были за 7 дней',
  active_30d: 'Были за 30 дней',
  paid: 'Платили',
};

const panelButton: Button = button('К панели', to('admin:panel'));
const people = (count: number): string => plural(count, 'человек', 'человека', 'человек');
const link = (id: number) => to('admin:bc:{n}', { n: id });

export const audienceScreen = (
  sizes: Readonly<Record<Audience, number>>,
  latest: readonly Broadcast[],
): Screen => ({
  text: paragraphs(
    rich`<b>Рассылка</b>`,
    rich`Кому написать? Посчитаны те, кто не заблокировал бота и не выключил новости.`,
    latest.length > 0 && lines(rich`Последние:`, ...latest.map((each) => rich`• ${summaryOf(each)}`)),
  ),
  keyboard: [
    ...[audiences.slice(0, 2), audiences.slice(2)].map((row) =>
      row.map((each) =>
        button(`${titles[each]}: ${number(sizes[each])}`, to('admin:bc:to:{audience}', { audience: each })),
      ),
    ),
    ...latest.map((each) => [
      button(`${moscowTime(each.startedAt ?? each.createdAt)} · ${stateOf(each)}`, link(each.id)),
    ]),
    [panelButton],
  ],
});

const stateOf = ({ status, sent, recipients }: Broadcast): string =>
  ({
    draft: 'черновик',
    sending: `идёт, ${number(sent)} из ${number(recipients)}`,
    stopped: 'остановлена',
    done: 'закончена',
  })[status];
const summaryOf = (each: Broadcast): string =>
  `${moscowTime(each.startedAt ?? each.createdAt)}, ${titles[each.audience].toLowerCase()}: ${stateOf(each)}, дошло до ${number(each.sent)}`;

export const writeScreen = (audience: Audience, size: number): Screen => ({
  text: paragraphs(
    rich`<b>Рассылка: ${titles[audience].toLowerCase()}, ${people(size)}</b>`,
    rich`Пришлите текст, можно с оформлением: жирный, курсив, ссылки сохранятся. Или картинку с подписью до ${number(MOST_UNDER_PICTURE)} знаков. Сначала покажу, как это увидят люди.`,
  ),
  keyboard: [],
});
export const backFromWriting: Button = cancelButton(to('admin:bc'));

/** What people get. */
export const broadcastMessage = ({ text, marks, photo }: BroadcastContent): Screen => ({
  text: markedText(text, marks),
  keyboard: [],
  ...(photo !== null && { photo: { fileId: photo } }),
});

/** `ahead`: the message itself, above; without it only what is asked about it. */
export function previewScreen(
  broadcast: Broadcast,
  size: number,
  { showsMessage }: { showsMessage: boolean },
): Screen {
  const { id, audience, isImportant } = broadcast;
  const { text, photo } = broadcastMessage(broadcast.content);
  return {
    ...(showsMessage && { ahead: { text, ...(photo && { photo }) } }),
    text: paragraphs(
      rich`<b>Выше — сообщение, как его увидят люди.</b>`,
      lines(
        rich`Кому: ${titles[audience].toLowerCase()}, <b>${people(size)}</b>`,
        rich`Займёт около ${minutes(size)}.`,
        isImportant
          ? rich`Важное: придёт и тем, кто выключил новости.`
          : rich`Тем, кто выключил новости, не придёт.`,
      ),
    ),
    keyboard: [
      [
        size === 0
          ? button('Некому отправлять', to('noop'))
          : button(
              `Отправить: ${people(size)}`,
              to('admin:bc:{n}:send:{g}', { n: id, g: isImportant ? 'important' : 'news' }),
              'success',
            ),
      ],
      [
        button(
          `${isImportant ? '✓' : '☐'} Важное, прислать всем`,
          to('admin:bc:{n}:mark:{g}', { n: id, g: isImportant ? 'news' : 'important' }),
        ),
      ],
      [button('Изменить', to('admin:bc:to:{audience}', { audience })), cancelButton(to('admin:panel'))],
    ],
  };
}

const minutes = (size: number): string =>
  size < 1_200
    ? plural(Math.ceil(size / 20), 'секунды', 'секунд', 'секунд')
    : plural(Math.ceil(size / 1_200), 'минуты', 'минут', 'минут');

/** A broadcast that has begun, wherever it stands. */
export const broadcastScreen = (broadcast: Broadcast): Screen => ({
  text: paragraphs(rich`<b>${headline[broadcast.status]}</b>`, countLines(broadcast)),
  keyboard: [
    ...(broadcast.status === 'sending'
      ? [[button('Обновить', link(broadcast.id)), stopButton(broadcast.id)]]
      : []),
    ...(broadcast.status === 'stopped' ? [[resumeButton(broadcast)]] : []),
    [button('К рассылкам', to('admin:bc')), panelButton],
  ],
});

/** Beside the owner's screen, edited while it goes on. */
export const progressScreen = (broadcast: Broadcast): Screen => ({
  text: paragraphs(rich`<b>Рассылка идёт</b>`, countLines(broadcast)),
  keyboard: [[stopButton(broadcast.id)]],
});

export const endedScreen = (broadcast: Broadcast): Screen => ({
  text: paragraphs(rich`<b>${headline[broadcast.status]}</b>`, countLines(broadcast)),
  keyboard: [...(broadcast.status === 'stopped' ? [[resumeButton(broadcast)]] : []), [panelButton]],
});

const headline: Readonly<Record<Broadcast['status'], string>> = {
  draft: 'Рассылка не начата',
  sending: 'Рассылка идёт',
  stopped: 'Рассылка остановлена',
  done: 'Рассылка закончена',
};

const stopButton = (id: number): Button => button('Остановить', to('admin:bc:{n}:stop', { n: id }), 'danger');
const resumeButton = (broadcast: Broadcast): Button =>
  button(
    `Продолжить, осталось ${number(waitingOf(broadcast))}`,
    to('admin:bc:{n}:resume', { n: broadcast.id }),
    'success',
  );

const waitingOf = ({ recipients, sent, blocked, failed, unknown, unwanted }: Broadcast): number =>
  recipients - sent - blocked - failed - unknown - unwanted;

/** Every recipient is in exactly one line. */
function countLines(broadcast: Broadcast): RichText {
  const { recipients, sent, blocked, failed, unknown, unwanted } = broadcast;
  const waiting = waitingOf(broadcast);
  return lines(
    rich`Доставлено: <b>${number(sent)}</b> из ${number(recipients)}`,
    rich`Заблокировали бота: ${number(blocked)}`,
    rich`Не приняты Telegram: ${number(failed)}`,
    rich`Ответ потерян, могли получить: ${number(unknown)}`,
    unwanted > 0 && rich`Выключили новости: ${number(unwanted)}`,
    waiting > 0 && rich`Осталось: ${number(waiting)}`,
  );
}

export const broadcastNotices = {
  empty: rich`В сообщении нет текста. Пришлите текст или картинку.`,
  captionTooLong: rich`Подпись под картинкой длиннее ${number(MOST_UNDER_PICTURE)} знаков. Сократите её или пришлите текст без картинки.`,
  begun: rich`Рассылка началась. Ход покажу отдельным сообщением.`,
  resumed: rich`Рассылка продолжается.`,
  stopped: rich`Рассылка остановлена. Больше никому не уйдёт.`,
  notRunning: rich`Эта рассылка уже не идёт.`,
};
