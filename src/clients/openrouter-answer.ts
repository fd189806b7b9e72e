import { z } from 'zod';
import { RouterFailed, refusedBy, routerError } from './openrouter-failure.ts';

/** What came back, in our words. */
export type Completion = {
  id: string;
  model: string;
  /** `refused`: a filter or the model itself would not; `cut`: the answer was longer than allowed. */
  outcome: 'answered' | 'refused' | 'cut';
  text: string;
  pictures: Buffer[];
  inputTokens: number;
  outputTokens: number;
  /** Null: the router did not say. */
  costUsd: number | null;
};

const picture = z.union([
  z.string(),
  z.object({ image_url: z.union([z.string(), z.object({ url: z.string() })]) }),
]);

const choice = z.object({
  finish_reason: z.string().nullish(),
  error: routerError.nullish(),
  message: z
    .object({
      content: z.string().nullish(),
      refusal: z.string().nullish(),
      images: z.array(picture).nullish(),
    })
    .nullish(),
});

const completion = z.object({
  id: z.string().catch(''),
  model: z.string().catch(''),
  error: routerError.nullish(),
  choices: z.array(choice).nullish(),
  usage: z
    .object({
      prompt_tokens: z.number().catch(0),
      completion_tokens: z.number().catch(0),
      cost: z.number().nullish(),
    })
    .nullish(),
});

/** Throws `RouterFailed`: status 200 alone is no success here. */
export function readCompletion(body: unknown): Completion {
  const read = completion.safeParse(body);
  if (!read.success) {
    throw new RouterFailed('answered something that is no completion', { cause: read.error });
  }
  const { id, model, error, choices, usage } = read.data;
  const first = choices?.[0];
  const failed = error ?? first?.error;
  if (failed) throw refusedBy(failed, { begun: true });
  if (first?.finish_reason === 'error') {
    throw new RouterFailed('broke off while answering', { status: 502, begun: true });
  }
  return {
    id,
    model,
    outcome: outcomeOf(first),
    text: first?.message?.content ?? '',
    pictures: (first?.message?.images ?? []).flatMap(picturesOf),
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    costUsd: usage?.cost ?? null,
  };
}

function outcomeOf(first: z.infer<typeof choice> | undefined): Completion['outcome'] {
  if (!first?.message || first.finish_reason === 'content_filter' || first.message.refusal) return 'refused';
  return first.finish_reason === 'length' ? 'cut' : 'answered';
}

function picturesOf(image: z.infer<typeof picture>): Buffer[] {
  const source = typeof image === 'string' ? image : image.image_url;
  const uri = typeof source === 'string' ? source : source.url;
  // Not one pattern over the whole: a picture is megabytes long.
  const comma = uri.indexOf(',');
  if (!/^data:image\/[\w.+-]+;base64$/u.test(uri.slice(0, comma))) return [];
  const bytes = Buffer.from(uri.slice(comma + 1), 'base64');
  return bytes.length > 0 ? [bytes] : [];
}
