import { type HttpHandler, sendJson } from '../../http/server.ts';
import { createMoods, type Moods } from '../moods.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import { lighthouseResult, loadingExperience } from './lighthouse.ts';

type PageSpeedStandInOptions = {
  /** Required of every request; without it strangers are served, as Google does a few times a day. */
  apiKey?: string;
  port?: number;
};
export type PageSpeedStandIn = StandIn & { moods: Moods<AuditMood> };

/** By address: a site with too few visitors to measure; one that Lighthouse could not load. */
type AuditMood = (typeof auditMoods)[number];
const auditMoods = ['no-field-data', 'runtime-error'] as const;

/** PageSpeed on loopback: its base URL is `<url>/pagespeedonline/v5`. */
export async function startPageSpeedStandIn({
  apiKey,
  port = 0,
}: PageSpeedStandInOptions = {}): Promise<PageSpeedStandIn> {
  const moods = createMoods(auditMoods);
  const standIn = await startStandIn({
    name: 'pagespeed',
    port,
    handle,
    refusal: (status) => refusal(status, 'Request failed.'),
    control: moods.control,
  });
  return { ...standIn, moods };

  async function handle(...[request, response, { pathname, searchParams }]: Parameters<HttpHandler>) {
    if (request.method !== 'GET' || pathname !== '/pagespeedonline/v5/runPagespeed') return false;
    const url = searchParams.get('url') ?? '';
    if (apiKey && searchParams.get('key') !== apiKey)
      sendJson(response, 400, refusal(400, 'API key not valid.'));
    else if (!/^https?:\/\//iu.test(url) || !URL.canParse(url))
      sendJson(response, 400, refusal(400, 'Invalid value for url.'));
    else sendJson(response, 200, reportOn(url, searchParams.getAll('category'), moods.of(url)));
    return true;
  }
}

function reportOn(url: string, categories: readonly string[], mood: AuditMood | null) {
  const asked = categories.length > 0 ? categories : ['performance'];
  const unloaded = { runtimeError: { code: 'NO_FCP', message: 'The page did not paint any content.' } };
  return {
    captchaResult: 'CAPTCHA_NOT_NEEDED',
    kind: 'pagespeedonline#result',
    id: url,
    ...(mood !== 'no-field-data' && { loadingExperience: loadingExperience(url) }),
    lighthouseResult: { ...lighthouseResult(url, asked), ...(mood === 'runtime-error' && unloaded) },
    analysisUTCTimestamp: '2026-11-01T09:00:00.000Z',
  };
}

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
};

function refusal(code: number, message: string) {
  const errors = [{ message, domain: 'global', reason: 'stand-in' }];
  return { error: { code, message, errors, status: statuses[code] ?? 'UNKNOWN' } };
}
