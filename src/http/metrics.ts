import { type HttpHandler, sendJson } from './server.ts';
import { secretCheck } from './webhook.ts';

/** For Prometheus, by its token alone. Without a token in the settings there is no such page. */
export function metricsHandler(
  token: string,
  read: () => Promise<{ contentType: string; text: string }>,
): HttpHandler {
  const isToken = secretCheck(token);
  return async (request, response, url) => {
    if (url.pathname !== '/metrics') return false;
    const bearer = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1];
    if (!isToken(bearer)) {
      sendJson(response, 401, { error: 'wrong token' });
      return true;
    }
    const { contentType, text } = await read();
    response.writeHead(200, { 'content-type': contentType }).end(text);
    return true;
  };
}
