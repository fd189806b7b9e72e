import type { DeliveryStatus, NormalizedError } from '../autopost/store/delivery.ts';
import type { RecentEvent } from '../autopost/store/monitor.ts';

export type Tone = 'good' | 'waits' | 'bad' | 'plain';

export const statuses: readonly { id: DeliveryStatus; title: string; tone: Tone }[] = [
  { id: 'queued', title: 'ждут очереди', tone: 'waits' },
  { id: 'claimed', title: 'взяты в работу', tone: 'waits' },
  { id: 'sending', title: 'отправляются', tone: 'waits' },
  { id: 'sent', title: 'доставлены', tone: 'good' },
  { id: 'retry', title: 'ждут повтора', tone: 'waits' },
  { id: 'deduped', title: 'уже были там', tone: 'plain' },
  { id: 'failed_permanent', title: 'отказ', tone: 'bad' },
  { id: 'dead', title: 'попытки кончились', tone: 'bad' },
  { id: 'unknown', title: 'неизвестно, дошли ли', tone: 'bad' },
];

type Phrase = { tone: Tone; says: string | ((event: RecentEvent, now: number) => string) };

const phrases: Readonly<Record<string, Phrase>> = {
  enqueue: { tone: 'waits', says: 'ждёт очереди' },
  sent: { tone: 'good', says: 'отправлено' },
  dedup_suppressed: { tone: 'plain', says: 'этот пост там уже был' },
  retry_scheduled: { tone: 'waits', says: retryWords },
  failed_permanent: { tone: 'bad', says: because('отказ') },
  validation_failed: { tone: 'bad', says: because('пост сюда не подходит') },
  dead_letter: { tone: 'bad', says: because('попытки кончились') },
  result_unknown: { tone: 'bad', says: 'ответ потерялся: неизвестно, дошло ли' },
  sending_lease_expired: { tone: 'bad', says: 'отправка оборвалась: неизвестно, дошло ли' },
  claimed_lease_expired: { tone: 'plain', says: 'вернулось в очередь' },
  late_result: { tone: 'plain', says: 'ответ пришёл с опозданием' },
  unknown_resolved: { tone: 'plain', says: 'судьба поста выяснена' },
  manual_requeue: { tone: 'waits', says: 'отправят ещё раз' },
  channel_paused: { tone: 'bad', says: because('канал на паузе') },
  channel_disabled: { tone: 'bad', says: because('канал выключен') },
  channel_enabled: { tone: 'good', says: 'канал снова работает' },
  group_cooldown: { tone: 'waits', says: because('все каналы этого бота подождут') },
  auth_rotated: { tone: 'plain', says: 'у канала новый токен' },
  message_tag_mismatch: { tone: 'plain', says: 'тот же пост пришёл с другими метками' },
  ingress_rate_limited: { tone: 'bad', says: 'пост не принят: слишком часто' },
  ingress_payload_rejected: { tone: 'bad', says: 'пост не принят: слишком большой' },
  ingress_dedup_dropped: { tone: 'plain', says: 'такой запрос уже был, второй раз не принят' },
};

export function wordsOf(event: RecentEvent, now: number): { words: string; tone: Tone } {
  const { says, tone } = phrases[event.action] ?? { says: event.action, tone: 'plain' };
  return { words: typeof says === 'string' ? says : says(event, now), tone };
}

const reasons: readonly [pattern: RegExp, words: string][] = [
  [/^not_admin$|^403$|^chat\.denied$/u, 'бот не администратор'],
  [/^chat_not_found$|^404$/u, 'канал не найден'],
  [/^401$|^verify\.token$/u, 'токен бота не принят'],
  [/^429$|^too\.many\.requests$/u, 'площадка просит подождать'],
  [/^5\d\d$/u, 'площадка не отвечает'],
  [/^network$/u, 'нет связи'],
];

/** Why, in a few words; an unknown reason is shown as the platform gave it. */
export function reasonOf(error: Partial<NormalizedError> | null): string | null {
  if (!error) return null;
  const known = reasons.find(([pattern]) => pattern.test(error.code ?? ''))?.[1];
  return known ?? error.message ?? error.code ?? null;
}

function because(what: string) {
  return ({ error }: RecentEvent): string => [what, reasonOf(error)].filter(Boolean).join(': ');
}

function retryWords({ error, meta }: RecentEvent, now: number): string {
  const left = Math.ceil((Date.parse(String(meta.next_retry_at)) - now) / 1000);
  const when = left > 0 ? `повтор через ${left} с` : 'повторено';
  return [when, reasonOf(error)].filter(Boolean).join(': ');
}
