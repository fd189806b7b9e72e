import { DeliveryFailed, type FailureReport } from '../../errors.ts';
import type { AdapterCall, PublishAnswer } from '../adapter.ts';
import type { ChannelPlatform } from '../platforms.ts';

/** One text for many channels of messengers: what is asked for, what is written down for it, what came of it. */

export type ParseMode = 'HTML' | 'Markdown' | 'None';
export type MediaType = 'image' | 'video' | 'audio' | 'file';
export type Button = { text: string; url: string } | { text: string; payload: string };
export type Keyboard = readonly (readonly Button[])[];

export type MessengerChannel = {
  platform: ChannelPlatform;
  targetId: string;
  token: string;
  /** `recipient: 'user'`: the target is a person of MAX, not a chat. */
  settings?: { recipient?: 'chat' | 'user' };
};

/** As a source gives it: nothing in it is checked yet. */
export type OutgoingPost = {
  text: string;
  parseMode: ParseMode;
  disablePreview?: boolean;
  buttons?: Keyboard;
  media?: readonly OutgoingMedia[];
};

export type OutgoingMedia = { type: string; caption?: string; sizeBytes?: number };

/**
 * Checked and laid out once, when it is put in the queue; every try sends exactly this. JSON: the two columns
 * `rendered_text` and `render_meta`.
 */
export type Rendered = { text: string; meta: RenderMeta };

export type RenderMeta = {
  platform: ChannelPlatform;
  /** How the platform is to read the text; null: as it stands. */
  format: 'html' | 'markdown' | null;
  disablePreview: boolean;
  /** The requests, in order. */
  steps: readonly Step[];
};

export type Step = { hasText: boolean; items: readonly StepItem[]; buttons: Keyboard };
export type StepItem = { index: number; type: MediaType; caption: string };

export type MediaSource =
  | { bytes: Uint8Array; fileName?: string; contentType?: string }
  | { url: string }
  /** The platform has it already: Telegram's `file_id`, MAX's attachment token. */
  | { reference: string };

export type SendCall = AdapterCall & {
  /** Correlates the log with the request that brought the post. */
  traceId?: string;
  /** Asked for right before it is sent, and not at all when it has been sent. */
  media?(index: number): Promise<MediaSource>;
  /** Of an earlier try: what was acknowledged then is not sent again. */
  progress?: SeriesProgress;
  /** Awaited right before every request that creates a message, its files being there. If it throws, nothing was sent. */
  beforeCall?(): Promise<void>;
  /** Awaited after every acknowledged request. If it throws, the error passes through and the outcome is unknown. */
  onProgress?(progress: SeriesProgress): Promise<void>;
  /** The caller comes back for the rest of a post that was half sent. By default, one that keeps its progress does. */
  keepsHalf?: boolean;
  /** The platform keeps the file under this reference now: a later send needs no upload. */
  onMaterial?(index: number, reference: string): Promise<void>;
};

/** As the queue keeps it in `render_meta.series_progress`. */
export type SeriesProgress = {
  /** Positions in `steps`. */
  sent_items: readonly number[];
  provider_message_ids: readonly string[];
};

export const NOTHING_SENT: SeriesProgress = { sent_items: [], provider_message_ids: [] };

export type Sent = PublishAnswer & { progress: SeriesProgress };

/** Not, or not wholly, sent. What `progress` names is in the channel. */
export class SendFailed extends DeliveryFailed {
  readonly progress: SeriesProgress;
  constructor(report: FailureReport, progress: SeriesProgress, cause?: unknown) {
    super(report, cause);
    this.progress = progress;
  }
}

/** What a post can be that no platform would take, found before anything is sent. */
export type Problem =
  | 'empty'
  | 'text_too_long'
  | 'caption_too_long'
  | 'bad_markup'
  | 'bad_buttons'
  | 'unknown_media_type'
  | 'too_many_media'
  | 'mixed_media'
  | 'media_too_large';

export class NotSendable extends DeliveryFailed {
  readonly problem: Problem;
  constructor(problem: Problem, userMessage: string) {
    super({
      category: 'PERMANENT',
      scope: 'delivery',
      code: 'validation_failed',
      message: `${problem}: ${userMessage}`,
      userMessage,
      raw: { problem },
    });
    this.problem = problem;
  }
}

export type Preflight = { ok: true; rendered: Rendered } | { ok: false; refusal: NotSendable };

/** Two doors to one check: this one answers, the function inside throws. */
export const toPreflight =
  (render: (post: OutgoingPost) => Rendered) =>
  (post: OutgoingPost): Preflight => {
    try {
      return { ok: true, rendered: render(post) };
    } catch (error) {
      if (error instanceof NotSendable) return { ok: false, refusal: error };
      throw error;
    }
  };
