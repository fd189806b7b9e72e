import { type HttpHandler, sendJson } from '../http/server.ts';
import { type ChannelPlatform, channelPlatforms } from '../platforms/platforms.ts';
import type { AutopostOverview } from './autopost-overview.ts';
import { channelMoods, isChannelMood } from './channel-moods.ts';
import type { SandboxChannels } from './sandbox-channels.ts';
import { imageSize } from './telegram/image-size.ts';

type AutopostHttpOptions = {
  channels: Pick<SandboxChannels, 'list' | 'setMood' | 'file'>;
  overview(): Promise<AutopostOverview>;
  /** Takes a channel that is paused or switched off back to work. */
  resume(channelId: string): Promise<void>;
  chartSvg(): Promise<string>;
  /** A picture with an address, for trying a post without one of your own. */
  samplePicture(): Promise<Buffer>;
  /** What the form on the page sends to `POST /api/ingest`; visibly no secret. */
  ingestSecret: string;
};

const PREFIX = '/sandbox/api/autopost';

/** The part of the page that shows autoposting: what is where, what was posted, and ways to break a channel. */
export function autopostHttp(options: AutopostHttpOptions): HttpHandler {
  const { channels } = options;
  return async (request, response, url) => {
    if (url.pathname !== PREFIX && !url.pathname.startsWith(`${PREFIX}/`)) return false;
    const [what = '', name = '', verb, argument] = url.pathname.slice(PREFIX.length + 1).split('/');
    switch (`${request.method} ${what}`) {
      case 'GET ':
        sendJson(response, 200, {
          ...(await options.overview()),
          moods: channelMoods.map(({ id, title }) => ({ id, title })),
          ingestSecret: options.ingestSecret,
        });
        return true;
      case 'GET chart':
        response.writeHead(200, { 'content-type': 'image/svg+xml; charset=utf-8' });
        response.end(await options.chartSvg());
        return true;
      case 'GET picture.png':
        response.writeHead(200, { 'content-type': 'image/png' }).end(await options.samplePicture());
        return true;
      case 'GET channels':
        if (!isPlatform(name)) return false;
        sendJson(response, 200, channels.list(name));
        return true;
      case 'GET file':
        return sendFile(name);
      case 'POST channels':
        return change(name);
      default:
        return false;
    }

    function sendFile(token: string): boolean {
      const file = channels.file(token);
      if (!file) return false;
      // Pictures are shown; anything else is only ever downloaded, so that a file cannot run as a page of ours.
      const picture = imageSize(file.bytes)?.mime;
      response.writeHead(200, {
        'content-type': picture ?? 'application/octet-stream',
        'content-disposition': `${picture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      response.end(file.bytes);
      return true;
    }

    async function change(channelId: string): Promise<boolean> {
      if (verb === 'resume') {
        await options.resume(channelId);
        sendJson(response, 200, { ok: true });
        return true;
      }
      if (verb !== 'mood') return false;
      const known = isChannelMood(argument) && channels.setMood(channelId, argument);
      if (known) sendJson(response, 200, { ok: true });
      else sendJson(response, 400, { error: 'Такого канала или такого поведения нет' });
      return true;
    }
  };
}

const isPlatform = (name: string): name is ChannelPlatform => (channelPlatforms as string[]).includes(name);
