import { GRANT_PATH, type GrantOutcome, type Grants } from '../platforms/wordpress/grants.ts';
import { plainPage, quietHeaders } from './plain-page.ts';
import { type HttpHandler, sendJson } from './server.ts';

const pages: Record<GrantOutcome, { head: string; text: string }> = {
  granted: { head: 'Доступ разрешён', text: 'Вернитесь в бот: подключение продолжается само.' },
  declined: {
    head: 'Доступ не дан',
    text: 'Ничего не сохранено. Вернитесь в бот: там можно попробовать ещё раз или ввести логин и пароль приложения.',
  },
  expired: {
    head: 'Ссылка уже не действует',
    text: 'Она работает один раз и полчаса. Вернитесь в бот и начните подключение заново.',
  },
};

/**
 * Where a WordPress site sends its owner back. The password stands in the address, so the browser is led on at once to an
 * address without it, and nothing of the request is logged.
 */
export function wordPressGrantHandler(
  receive: Grants['receive'],
  /** The chat with the bot, where it has an address. */
  chatUrl: () => string | null,
): HttpHandler {
  return async (request, response, { pathname, searchParams }) => {
    if (!pathname.startsWith(`${GRANT_PATH}/`)) return false;
    if (request.method !== 'GET') {
      sendJson(response, 405, { error: 'GET only' });
      return true;
    }
    const step = pathname.slice(GRANT_PATH.length + 1);
    if (step === 'callback') {
      const outcome = await receive({
        state: searchParams.get('state') ?? '',
        siteUrl: searchParams.get('site_url'),
        login: searchParams.get('user_login'),
        password: searchParams.get('password'),
      });
      response.writeHead(303, { ...quietHeaders, location: `${GRANT_PATH}/${outcome}` }).end();
      return true;
    }
    const page = Object.hasOwn(pages, step) ? pages[step as GrantOutcome] : null;
    if (!page) return false;
    response
      .writeHead(200, { ...quietHeaders, 'content-type': 'text/html; charset=utf-8' })
      .end(plainPage(page, chatUrl()));
    return true;
  };
}
