import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { z } from 'zod';

/** One question to a chain of models. */
export type ModelRequest = {
  /** The first is asked; the router moves on to the next when it fails. */
  models: readonly [string, ...string[]];
  /** Nothing of the single case: the provider caches it. */
  system: string | null;
  user: string;
  maxTokens: number;
  temperature?: number;
  timeoutMs: number;
  sort?: 'price' | 'throughput';
  /** USD per million tokens. */
  maxPrice?: { prompt: number; completion: number };
  reasoning?: boolean;
  searchContextSize?: 'high';
  /** The answer has to be JSON of this shape. */
  schema?: { name: string; shape: z.ZodType };
  /** The answer has to be a picture. */
  picture?: { aspectRatio: string; size: string; references: readonly string[] };
};

/** The body of the request: what OpenAI knows, and what only OpenRouter does. */
export function toBody(request: ModelRequest): ChatCompletionCreateParamsNonStreaming {
  const { models, maxTokens, temperature, searchContextSize, schema } = request;
  const common: ChatCompletionCreateParamsNonStreaming = {
    model: models[0],
    messages: messagesOf(request),
    max_completion_tokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(searchContextSize && { web_search_options: { search_context_size: searchContextSize } }),
    ...(schema && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: schema.name, strict: true, schema: strictSchema(schema.shape) },
      },
    }),
  };
  return { ...common, ...(routerFields(request) as object) };
}

type RouterFields = {
  models?: string[];
  provider: {
    data_collection: 'deny';
    allow_fallbacks: true;
    sort?: 'price' | 'throughput';
    max_price?: { prompt: number; completion: number };
    require_parameters?: true;
  };
  plugins?: [{ id: 'response-healing' }];
  reasoning?: { enabled: true };
  modalities?: ['image', 'text'];
  image_config?: { aspect_ratio: string; image_size: string };
};

function routerFields({ models, sort, maxPrice, reasoning, schema, picture }: ModelRequest): RouterFields {
  const [, ...others] = models;
  return {
    ...(others.length > 0 && { models: others }),
    provider: {
      data_collection: 'deny',
      allow_fallbacks: true,
      ...(sort && { sort }),
      ...(maxPrice && { max_price: maxPrice }),
      // Never for a picture: no endpoint then supports everything asked for, and the answer is 404.
      ...(schema && !picture && { require_parameters: true }),
    },
    ...(schema && { plugins: [{ id: 'response-healing' }] }),
    ...(reasoning && { reasoning: { enabled: true } }),
    ...(picture && {
      modalities: ['image', 'text'],
      image_config: { aspect_ratio: picture.aspectRatio, image_size: picture.size },
    }),
  };
}

function messagesOf({ models, system, user, picture }: ModelRequest): ChatCompletionMessageParam[] {
  const references = picture?.references ?? [];
  const asking: ChatCompletionMessageParam = {
    role: 'user',
    content:
      references.length === 0
        ? user
        : [
            { type: 'text', text: user },
            ...references.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
          ],
  };
  return system === null ? [asking] : [{ role: 'system', content: systemPart(models[0], system) }, asking];
}

/** Anthropic caches what it is told to; the others cache unasked. */
function systemPart(firstModel: string, text: string) {
  if (!firstModel.startsWith('anthropic/')) return text;
  return [{ type: 'text' as const, text, cache_control: { type: 'ephemeral' } }];
}

/** Limits that zod checks on arrival and that strict modes, Anthropic's above all, refuse to be told. */
const UNTOLD = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
] as const;

/** Every key required and no other allowed: zod writes objects so by itself. */
function strictSchema(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    override: ({ jsonSchema }) => {
      for (const limit of UNTOLD) delete jsonSchema[limit];
    },
  });
  return schema;
}
