import { CONSENT_PATH, type Consents } from '../platforms/pinterest/consents.ts';
import { plainPage, quietHeaders } from './plain-page.ts';
import { type HttpHandler, sendJson } from './server.ts';

type Page = { status: number; head: string; text: string };

const pages: Record<'refused' | 'forged' | 'failed', Page> = {
  refused: {
    status: 200,
    head: 'Доступ не дан',
    text: 'Ничего не сохранено. Вернитесь в бот: там можно попробовать ещё раз.',
  },
  forged: {
    status: 403,
    head: 'Ссылка не действует',
    text: 'Она работает один раз, полчаса и только у того, кто её запросил. Вернитесь в бот и начните подключение заново.',
  },
  failed: {
    status: 502,
    head: 'Pinterest не ответил',
    text: 'Войти не получилось, ничего не сохранено. Вернитесь в бот и откройте ссылку ещё раз через пару минут.',
  },
};

const granted: Page = {
  status: 200,
  head: 'Доступ разрешён',
  text: 'Вернитесь в бот: осталось выбрать доску.',
};

/**
 * The way to Pinterest and back. The person comes back to the bot by a link that only their own Telegram can follow
 * in their name; the code in the address is used before anything is answered, and nothing of the request is logged.
 */
export function pinterestConsentHandler(
  { begin, receive }: Pick<Consents, 'begin' | 'receive'>,
  /** Opens the chat with `/start <payload>`; null where the bot has no address yet. */
  returnUrl: (payload: string | null) => string | null,
): HttpHandler {
  return async (request, response, { pathname, searchParams }) => {
    if (pathname !== CONSENT_PATH && pathname !== `${CONSENT_PATH}/callback`) return false;
    if (request.method !== 'GET') {
      sendJson(response, 405, { error: 'GET only' });
      return true;
    }
    if (pathname === CONSENT_PATH) {
      const link = await begin(searchParams.get('user_id') ?? '', searchParams.get('nonce') ?? '');
      if (link === null) return show(pages.forged, returnUrl(null));
      return lead(link);
    }
    const answer = await receive({
      state: searchParams.get('state') ?? '',
      code: searchParams.get('code'),
      error: searchParams.get('error'),
    });
    if (answer.outcome !== 'granted') return show(pages[answer.outcome], returnUrl(null));
    const back = returnUrl(`pinterest_auth_${answer.nonce}`);
    return back === null ? show(granted, null) : lead(back);

    function lead(location: string): true {
      response.writeHead(302, { ...quietHeaders, location }).end();
      return true;
    }

    function show({ status, head, text }: Page, chatUrl: string | null): true {
      response
        .writeHead(status, { ...quietHeaders, 'content-type': 'text/html; charset=utf-8' })
        .end(plainPage({ head, text }, chatUrl));
      return true;
    }
  };
}
