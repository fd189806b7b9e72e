import { prices } from '../../prices.ts';
import { number, plural, tokens } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen, urlButton } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';

/** What the bot says unasked: rarely, and each with its switch in the settings. */

const POST_PRICE = prices.textPer100Words + prices.image;

export const lowBalanceScreen = (balance: number, articlePrice: number): Screen => ({
  text: paragraphs(
    rich`<b>${balance > 0 ? 'Баланс почти закончился' : 'Токены закончились'}</b>`,
    lines(rich`На балансе ${tokens(balance)}.`, goodFor(balance, articlePrice)),
    balance <= 0 && rich`Публикации по расписанию встанут на паузу.`,
  ),
  keyboard: [[button('Пополнить', to('nav:tariffs'), 'primary')], [menuButton]],
});

function goodFor(balance: number, articlePrice: number): RichText {
  if (balance >= articlePrice)
    return rich`Хватит примерно на ${plural(Math.floor(balance / articlePrice), 'статью', 'статьи', 'статей')}.`;
  const usual = `обычно она стоит ${number(articlePrice)}`;
  return balance >= POST_PRICE
    ? rich`На статью этого не хватит (${usual}), на короткий пост хватит.`
    : rich`Этого не хватит ни на статью (${usual}), ни на короткий пост.`;
}

export const digestScreen = ({
  publications,
  tokens: spent,
  bestUrl,
  climbed,
}: {
  publications: number;
  tokens: number;
  bestUrl: string | null;
  climbed: { keyword: string; place: number } | null;
}): Screen => ({
  text: paragraphs(
    rich`<b>Ваша неделя</b>`,
    lines(
      rich`Вышло: ${plural(publications, 'публикация', 'публикации', 'публикаций')}.`,
      rich`Потрачено: ${tokens(spent)}.`,
      climbed && rich`Статья «${climbed.keyword}» вышла на ${number(climbed.place)}-е место в поиске.`,
    ),
  ),
  keyboard: [...(bestUrl === null ? [] : [[urlButton('Открыть лучшую', bestUrl)]]), [menuButton]],
});

/** Says nothing of schedules: they go on without their owner. */
export const awayScreen = (balance: number): Screen => ({
  text: paragraphs(
    rich`<b>Давно вас не было</b>`,
    balance > 0
      ? rich`На балансе ${tokens(balance)}. Можно написать статью или пост: бот сам выберет, о чём.`
      : rich`Проекты и тексты на месте. Пополните баланс, и можно продолжать.`,
  ),
  keyboard: [[menuButton]],
});
