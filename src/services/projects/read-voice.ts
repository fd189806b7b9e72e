import { withDeadline } from '../../clients/http/deadline.ts';
import type { WebPage } from '../../clients/http/web-page.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { AskModel } from '../ai/ask.ts';
import { outsideText } from '../ai/outside-text.ts';
import type { Company } from './brief.ts';

class NoOwnTexts extends AppError {
  readonly code = 'NO_OWN_TEXTS';
  readonly userMessage =
    'Не нашёл ваших текстов: ни на сайте, ни в канале. Проверьте адреса в данных проекта или опишите голос сами.';
}

type Reading = { userId: number; signal: AbortSignal };
type Deps = {
  mapSite(url: string, options: Reading & { projectId: number; limit: number }): Promise<readonly string[]>;
  readPage(url: string, reading: Reading): Promise<WebPage | null>;
  ask: AskModel;
  log: Log;
  patienceMs?: number;
};

const MOST_TEXTS = 10;
const MAP_LIMIT = 100;
const TEXT_LENGTH = 1_500;
/** Fewer words are a menu or a card of goods. */
const FEWEST_WORDS = 60;
const VOICE_LENGTH = 900;

/** Where people write in sentences: the blog and what a company tells of itself, before goods and contacts. */
const telling = /blog|news|stat|article|novosti|about|o-nas|o-kompanii|istori|otzyv|sovet|post/iu;
const dull =
  /cart|korzin|login|policy|politik|oferta|contact|kontakt|catalog|katalog|tag\/|page\/|\.(?:jpe?g|png|webp|pdf|xml)$/iu;

/** From up to ten texts of the company's site and channel, a short description of how it speaks. Nothing is saved here. */
export const makeReadVoice =
  ({ mapSite, readPage, ask, log, patienceMs = 25_000 }: Deps) =>
  async (
    { company, projectId, userId }: { company: Company; projectId: number; userId: number },
    signal: AbortSignal = new AbortController().signal,
  ): Promise<{ voice: string; texts: number }> => {
    const found = await Promise.all(
      (await addresses()).map((url) => quietly(url, () => readPage(url, reading()))),
    );
    const texts = found
      .filter((page) => page !== null && page.words >= FEWEST_WORDS)
      .map((page) => outsideText(page!.text, TEXT_LENGTH));
    if (texts.length === 0) throw new NoOwnTexts(`no texts of project ${projectId}`);
    const { name, specialization } = company;
    const variables = { company_name: name, specialization, language: 'ru', texts };
    const { content } = await ask('voice', { variables, userId, signal });
    return { voice: outsideText(content.voice, VOICE_LENGTH), texts: texts.length };

    async function addresses(): Promise<string[]> {
      const channel = channelOf(company.telegram);
      const site = company.websiteUrl;
      const map = { ...reading(), projectId, limit: MAP_LIMIT };
      const pages = site === '' ? [] : ((await quietly(site, () => mapSite(site, map))) ?? []);
      const worth = pages.filter((url) => !dull.test(url));
      const sorted = [...worth.filter((url) => telling.test(url)), site, ...worth].filter(
        (url) => url !== '',
      );
      return [...new Set([...(channel ? [channel] : []), ...sorted])].slice(0, MOST_TEXTS);
    }

    function reading(): Reading {
      return { userId, signal };
    }

    /** One page that does not open is no reason to stop. */
    async function quietly<Found>(url: string, read: () => Promise<Found>): Promise<Found | null> {
      try {
        return await withDeadline(patienceMs, signal, read);
      } catch (err) {
        signal.throwIfAborted();
        log.warn({ err, url }, 'a text of the company could not be read');
        return null;
      }
    }
  };

/** The public page of a channel, with its last posts. */
function channelOf(telegram: string): string | null {
  const name = /^(?:@|(?:https?:\/\/)?t\.me\/(?:s\/)?)?([a-z]\w{4,31})\/?$/iu.exec(telegram.trim())?.[1];
  return name ? `https://t.me/s/${name}` : null;
}
