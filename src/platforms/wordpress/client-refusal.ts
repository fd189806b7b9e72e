import { z } from 'zod';
import { AddressRefused, AnswerTooLarge, SiteUnreachable } from '../../clients/http/fetch-errors.ts';
import type { FetchedPage } from '../../clients/http/guarded-fetch.ts';
import { retryAfterOf } from '../../clients/http/repeat.ts';
import { WordPressFailed, type WordPressFault } from './client-failed.ts';

const MOST_QUOTED = 300;

const wpError = z.object({ code: z.string(), message: z.string().catch(''), data: z.unknown().optional() });
const badParams = z.object({ params: z.record(z.string(), z.unknown()) });

const faultOfCode: Readonly<Record<string, WordPressFault>> = {
  incorrect_password: 'wrong-password',
  invalid_username: 'wrong-password',
  invalid_email: 'wrong-password',
  application_passwords_disabled: 'passwords-off',
  application_passwords_disabled_for_user: 'passwords-off',
  rest_not_logged_in: 'not-logged-in',
  rest_cannot_publish: 'may-not-publish',
  rest_cannot_update: 'meta-refused',
  rest_upload_sideload_error: 'media-refused',
  rest_no_route: 'rest-off',
  // The words of the plugins that close the API to strangers.
  rest_disabled: 'rest-off',
  rest_cannot_access: 'rest-off',
  rest_login_required: 'rest-off',
  itsec_rest_api_access_restricted: 'rest-off',
};

/** What an answer that is no success means. Reads change nothing, so only a write may have arrived. */
export function refusalOf(
  { status, headers, body }: FetchedPage,
  what: string,
  isWrite: boolean,
): WordPressFailed {
  const parsed = wpError.safeParse(parseJson(body));
  const said = parsed.success ? parsed.data : null;
  return new WordPressFailed(faultOf(status, said, what), what, {
    status,
    ...(said && { code: said.code, data: said.data }),
    message: said?.message.slice(0, MOST_QUOTED) ?? 'no JSON',
    retryAfterSec: retryAfterOf(headers['retry-after']),
    // A gateway gives up on a site that is still working, and PHP may fall over a hook that runs after saving.
    mayHaveArrived: isWrite && status >= 500 && said?.code !== 'rest_upload_sideload_error',
  });
}

/** Success by its status, and yet not what was asked for. */
export function unreadable(page: FetchedPage, what: string, isWrite: boolean): WordPressFailed {
  const fault = looksLikePage(page) ? 'html' : 'unreadable';
  return new WordPressFailed(fault, what, { status: page.status, mayHaveArrived: isWrite });
}

/** Who asked and left gets their own reason back; everything else that the network does has a name. */
export function networkFailure(error: unknown, what: string, isWrite: boolean): unknown {
  if (error instanceof AddressRefused) return new WordPressFailed('address-refused', what, { cause: error });
  if (error instanceof AnswerTooLarge)
    return new WordPressFailed('unreadable', what, { mayHaveArrived: isWrite, cause: error });
  if (!(error instanceof SiteUnreachable)) return error;
  const named = { certificate: 'certificate', timeout: 'timeout' } as const;
  const fault = error.reason in named ? named[error.reason as keyof typeof named] : 'unreachable';
  return new WordPressFailed(fault, what, { mayHaveArrived: isWrite && error.mayHaveArrived, cause: error });
}

/** Undefined when it is no JSON. Some themes put a byte order mark before everything PHP says. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/u, ''));
  } catch {
    return undefined;
  }
}

function faultOf(status: number, said: z.infer<typeof wpError> | null, what: string): WordPressFault {
  if (status === 429) return 'busy';
  if (status === 413) return 'too-large';
  if (status >= 300 && status < 400) return 'moved';
  const named = said && faultOfCode[said.code];
  if (named) return named;
  if (status >= 500) return 'broken';
  if (!said) return status === 404 ? 'rest-off' : 'html';
  // Asked as a stranger: the credentials were on the way, and did not arrive.
  if (status === 401) return 'not-logged-in';
  if (said.code === 'rest_cannot_create')
    return /\bmedia\b/u.test(what) ? 'may-not-upload' : 'may-not-publish';
  if (status === 403) return 'forbidden';
  return isAboutMeta(said.data) ? 'meta-refused' : 'refused';
}

function isAboutMeta(data: unknown): boolean {
  const bad = badParams.safeParse(data);
  return bad.success && Object.keys(bad.data.params).some((name) => /^meta\b/u.test(name));
}

function looksLikePage({ headers, body }: FetchedPage): boolean {
  const start = body.subarray(0, MOST_QUOTED).toString('utf8').trimStart();
  return /html/iu.test(headers['content-type'] ?? '') || start.startsWith('<');
}
