import type { ShopPayment } from './shop.ts';

const escaped = (text: string): string => text.replace(/[&<>"]/gu, (sign) => `&#${sign.codePointAt(0)};`);

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};

const said: Record<ShopPayment['status'], string> = {
  pending: '',
  waiting_for_capture: 'Деньги отложены.',
  succeeded: 'Оплачено. Можно вернуться в бот.',
  canceled: 'Платёж отклонён. Деньги не списаны.',
};

/** The page of the provider on which a person pays, refuses, or which they simply close. */
export const payPage = ({ id, amount, description, status, wish }: ShopPayment): string => `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Оплата</title>
<style>
  body { margin: 12vh auto; max-width: 24rem; padding: 1.5rem; font: 17px/1.5 system-ui, sans-serif; border: 1px solid #ddd; border-radius: 12px; }
  h1 { font-size: 1.6rem; margin: 0 0 .5rem; } small { color: #777; }
  button, a { display: block; width: 100%; box-sizing: border-box; margin-top: .75rem; padding: .8rem; border: 0; border-radius: 8px; font: inherit; text-align: center; text-decoration: none; color: #111; background: #eee; }
  button[value=pay] { background: #0a7cff; color: #fff; }
</style>
<small>ЮKassa · учебный магазин</small>
<h1>${escaped(amount.value)} ₽</h1>
<p>${escaped(description)}</p>
${wish.saves ? '<p>Карта *4444 будет сохранена: следующие платежи спишутся сами.</p>' : '<p>Карта *4444</p>'}
${
  status === 'pending'
    ? `<form method="post" action="/pay/${id}"><button name="do" value="pay">Оплатить</button><button name="do" value="decline">Отказать</button></form><p><small>Можно и просто закрыть страницу: платёж подождёт час.</small></p>`
    : `<p><b>${said[status]}</b></p>${wish.returnUrl === null ? '' : `<a href="${escaped(wish.returnUrl)}">Вернуться</a>`}`
}
</html>
`;
