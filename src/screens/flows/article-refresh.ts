import type { ContextFrom } from 'xstate';
import type { articleRefreshMachine, RefreshProposal } from '../../../machines/article-refresh.ts';
import { number, ofTokens, plural, tokensCharged, tokensReturned } from '../../russian.ts';
import { type FlowScreens, press } from '../kit/flow-screens.ts';
import { to, unpackLink } from '../kit/link.ts';
import { lackingOf, priceLines, refusal, topUpIfShort, trouble } from '../kit/money.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen, urlButton } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

type Context = ContextFrom<typeof articleRefreshMachine>;

export const flow = {
  title: 'обновление статьи',
  titleGenitive: 'обновления статьи',
  states: {
    confirm: (context) => ({
      text: paragraphs(
        context.failure && refusal(context.failure),
        rich`<b>Обновить статью</b>`,
        lines(rich`Фраза: «${context.keyword}»`, rich`${context.url}`),
        rich`Посмотрю, что изменилось в поиске, и предложу новый вариант текста с отличиями. Картинки и адрес страницы останутся прежними. На сайте ничего не меняется, пока вы не согласитесь, и вернуть прежний вариант можно одной кнопкой.`,
        priceLines(context, { atMost: true }),
      ),
      keyboard: [
        ...topUpIfShort(lackingOf(context), context.failure),
        [button('Предложить новый вариант', to('refresh:confirm'), 'success')],
        [button('Отмена', to('fsm:cancel'))],
      ],
    }),
    proposing: ({ keyword, late }) => ({
      text: paragraphs(
        rich`<b>Сравниваю с поиском</b> статью по фразе «${keyword}»`,
        late
          ? rich`Дольше обычного. Ждать в чате не обязательно: предложение придёт сюда.`
          : rich`Смотрю выдачу, читаю статью на сайте и пишу новый вариант. Обычно это около минуты.`,
      ),
      keyboard: [],
    }),
    review: (context) => reviewScreen(context.proposal!, context),
    applying: ({ late }) => ({
      text: rich`Обновляю статью на сайте… ${late && 'Сайт отвечает медленно.'}`,
      keyboard: [],
    }),
    declining: () => ({ text: rich`Отменяю и возвращаю токены…`, keyboard: [] }),
    applied: ({ publicationId: n }) => ({
      open: to('publication:{n}:result', { n }),
      notice: rich`Статья обновлена на том же адресе. Если передумаете, нажмите «Вернуть прежний вариант».`,
    }),
    declined: ({ publicationId: n, returned }) => ({
      open: to('publication:{n}:result', { n }),
      notice: rich`Статья осталась прежней.${returned > 0 && ` ${tokensReturned(returned)}.`}`,
    }),
    failed: (context) => ({
      open: to('publication:{n}:result', { n: context.publicationId }),
      screen: failedScreen(context),
    }),
    cancelled: ({ origin }) => ({ open: unpackLink(origin), notice: rich`Статья осталась прежней.` }),
  },
  behind: {
    confirm: (context) => failedScreen(context),
    review: ({ publicationId: n, keyword }) => ({
      text: rich`<b>Новый вариант готов:</b> статья по фразе «${keyword}». Посмотрите отличия и решите.`,
      keyboard: [[button('Посмотреть', to('publication:{n}:refresh', { n }), 'primary')], [menuButton]],
    }),
    failed: (context) => failedScreen(context),
  },
  remains: {
    proposing: ({ keyword, price }) =>
      rich`Новый вариант статьи «${keyword}» пишется дальше: списано не больше ${ofTokens(price)}. Когда будет готов, пришлю его сюда; если не получится, токены вернутся сами.`,
    review: () =>
      rich`Предложенный вариант хранится 24 часа: откройте статью в «Публикациях» и нажмите «Обновить статью».`,
  },
  presses: [
    press('refresh:confirm', () => ({ type: 'cost.accepted' })),
    press('refresh:apply', () => ({ type: 'draft.approved' })),
    press('refresh:decline', () => ({ type: 'draft.declined' })),
    press('fsm:cancel', () => ({ type: 'cancelled' })),
  ],
} satisfies FlowScreens<typeof articleRefreshMachine>;

function reviewScreen(proposal: RefreshProposal, { failure, isAdmin }: Context): Screen {
  const { title, changes, added, removed, unchanged, words, previewUrl, spent } = proposal;
  return {
    text: paragraphs(
      failure && rich`⚠ ${trouble(failure)}`,
      rich`<b>${title}</b>`,
      changes.length > 0 && listed(rich`Что изменилось в поиске:`, '•', changes),
      listed(rich`Появилось в статье:`, '＋', added),
      removed.length > 0 && listed(rich`Ушло:`, '－', removed),
      lines(
        rich`Без изменений: ${plural(unchanged, 'абзац', 'абзаца', 'абзацев')}`,
        rich`Было ${plural(words.before, 'слово', 'слова', 'слов')}, станет ${number(words.after)}`,
        !isAdmin && rich`${tokensCharged(spent)}: если отказаться, они вернутся`,
      ),
    ),
    keyboard: [
      ...(previewUrl === null ? [] : [[urlButton('Все отличия', previewUrl)]]),
      [button('Обновить на сайте', to('refresh:apply'), 'success')],
      [button('Оставить как есть', to('refresh:decline'))],
      [menuButton],
    ],
  };
}

const listed = (head: RichText, mark: string, items: readonly string[]): RichText =>
  lines(head, ...(items.length > 0 ? items.map((item) => rich`${mark} ${item}`) : [rich`${mark} ничего`]));

function failedScreen({ failure, publicationId: n, keyword }: Context): Screen {
  return {
    text: paragraphs(
      rich`<b>Обновить статью не получилось</b>: «${keyword}»`,
      failure ? trouble(failure) : rich`Попробуйте позже.`,
    ),
    keyboard: [
      [button('Попробовать ещё раз', to('publication:{n}:refresh', { n }), 'primary')],
      [menuButton],
    ],
  };
}
