import type { Json } from '../../engine/json.ts';
import { DeliveryFailed, type FailureReport } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { mayBeDone } from '../failure-table.ts';
import type { ChannelPlatform } from '../platforms.ts';
import { reportOf } from './failures.ts';
import {
  NOTHING_SENT,
  type Rendered,
  type SendCall,
  SendFailed,
  type Sent,
  type SeriesProgress,
  type Step,
} from './messenger.ts';

export type SentStep = {
  ids: readonly string[];
  url: string | null;
  raw: Json;
  /** Under which the platform keeps what came with this request. */
  references?: readonly { index: number; reference: string }[];
};

type SeriesPort = {
  platform: ChannelPlatform;
  send(step: Step): Promise<SentStep>;
  /** Takes one message back. Without it what was sent stays. */
  remove?(id: string): Promise<void>;
  log: Log;
};

/**
 * Makes the requests of a post one after another, none of them twice: not what an earlier try had acknowledged, and
 * not what may have arrived without an answer.
 */
export async function sendSeries(port: SeriesPort, { meta }: Rendered, call: SendCall): Promise<Sent> {
  let progress = call.progress ?? NOTHING_SENT;
  let url: string | null = null;
  const answers: Json[] = [];
  for (const [position, step] of meta.steps.entries()) {
    if (progress.sent_items.includes(position)) continue;
    let sent: SentStep;
    try {
      sent = await port.send(step);
    } catch (error) {
      if (mayBeDone(error)) return unknown(port, call, progress, error);
      const report = error instanceof DeliveryFailed ? error.report : reportOf(port.platform, error);
      if (report === null) throw error;
      throw new SendFailed(report, await settle(port, call, progress, report), error);
    }
    url ??= sent.url;
    answers.push(sent.raw);
    progress = {
      sent_items: [...progress.sent_items, position],
      provider_message_ids: [...progress.provider_message_ids, ...sent.ids],
    };
    await call.onProgress?.(progress);
    await remember(port, call, sent);
  }
  return {
    outcome: 'sent',
    // Of an album the first message: the id of the group opens nothing, and is in `raw`.
    providerMessageId: progress.provider_message_ids[0] ?? '',
    url,
    warnings: [],
    raw: answers,
    progress,
  };
}

/** The message is out: a reference that could not be kept costs an upload, and must not cost a second message. */
async function remember(port: SeriesPort, call: SendCall, { references = [] }: SentStep): Promise<void> {
  try {
    for (const { index, reference } of references) await call.onMaterial?.(index, reference);
  } catch (error) {
    port.log.warn({ err: error, ...named(call) }, 'a file will have to be brought again');
  }
}

/** Half a post is removed, unless the caller keeps its progress and will send the rest. */
async function settle(
  port: SeriesPort,
  call: SendCall,
  progress: SeriesProgress,
  { category }: FailureReport,
): Promise<SeriesProgress> {
  const { keepsHalf = call.onProgress !== undefined } = call;
  const willGoOn = category === 'TRANSIENT' && keepsHalf;
  if (!port.remove || willGoOn || progress.provider_message_ids.length === 0) return progress;
  try {
    for (const id of progress.provider_message_ids) await port.remove(id);
  } catch (error) {
    port.log.warn({ err: error, ...named(call) }, 'half a post stays in the channel');
    return progress;
  }
  await call.onProgress?.(NOTHING_SENT);
  return NOTHING_SENT;
}

const messages: Readonly<Record<ChannelPlatform, string>> = {
  telegram: 'Telegram не подтвердил публикацию.',
  max: 'MAX не подтвердил публикацию.',
};

function unknown(port: SeriesPort, call: SendCall, progress: SeriesProgress, error: unknown): Sent {
  port.log.warn({ err: error, ...named(call) }, 'it is unknown whether a message was sent');
  const raw = { error: error instanceof Error ? error.message : String(error) };
  return { outcome: 'unknown', message: messages[port.platform], raw, progress };
}

const named = ({ idempotencyKey, traceId }: SendCall) => ({ publication: idempotencyKey, traceId });
