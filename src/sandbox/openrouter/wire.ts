import { z } from 'zod';

/** The router's objects, as far as the stand-in speaks them. Names are the wire's. */

const part = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
]);

export const chatRequest = z.looseObject({
  model: z.string().optional(),
  models: z.array(z.string()).optional(),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(part)]) })).min(1),
  response_format: z
    .object({
      type: z.literal('json_schema'),
      json_schema: z.object({ name: z.string(), strict: z.boolean().optional(), schema: z.unknown() }),
    })
    .optional(),
  modalities: z.array(z.string()).optional(),
  image_config: z
    .object({ aspect_ratio: z.string().optional(), image_size: z.string().optional() })
    .optional(),
  provider: z.looseObject({ require_parameters: z.boolean().optional() }).optional(),
});
export type ChatRequest = z.infer<typeof chatRequest>;

export type RouterError = {
  error: { code: number; message: string; metadata?: Record<string, unknown> };
};

export type ChatCompletion = {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: Choice[];
  usage: Usage;
};

export type Choice = {
  index: 0;
  finish_reason: string;
  message: {
    role: 'assistant';
    content: string | null;
    refusal: string | null;
    images?: { type: 'image_url'; image_url: { url: string } }[];
  };
  error?: RouterError['error'];
};

type Usage = {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost?: number;
};

/** Stands in an answer where its picture is put on the way out. */
export const PICTURE_HERE = '%picture%';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'No auth credentials found',
  402: 'Insufficient credits. Add more using https://openrouter.ai/settings/credits',
  403: 'Your chosen model requires moderation and your input was flagged',
  404: 'No endpoints found that can handle the requested parameters',
  408: 'Your request timed out',
  429: 'Rate limit exceeded',
  502: 'Provider returned error',
  503: 'No instances available',
};

/** A refusal in the router's words. */
export function routerError(code: number, message?: string, metadata?: Record<string, unknown>): RouterError {
  return {
    error: { code, message: message ?? REASONS[code] ?? `Error ${code}`, ...(metadata && { metadata }) },
  };
}

/** What the product asks for: its schemas carry the names of its tasks. */
export function taskOf({ response_format, modalities }: ChatRequest): string {
  if (modalities?.includes('image')) return 'image';
  return response_format?.json_schema.name ?? 'description';
}

export function textOf({ messages }: ChatRequest, role: 'system' | 'user'): string {
  return messages
    .filter((message) => message.role === role)
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join('\n'),
    )
    .join('\n');
}
