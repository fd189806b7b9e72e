/** What the router has on offer here: the name it answers under, and what it takes in USD per million tokens. */
export type Model = {
  dated: string;
  prompt: number;
  completion: number;
  /** USD for one picture; null: it draws none. */
  picture: number | null;
};

const model = (dated: string, prompt: number, completion: number, picture: number | null = null): Model => ({
  dated,
  prompt,
  completion,
  picture,
});

export const models: Readonly<Record<string, Model>> = {
  'anthropic/claude-sonnet-4.5': model('anthropic/claude-sonnet-4.5-20250929', 3, 15),
  'openai/gpt-5.2': model('openai/gpt-5.2-20251211', 1.75, 14),
  'deepseek/deepseek-v3.2': model('deepseek/deepseek-v3.2-20251201', 0.25, 0.4),
  'perplexity/sonar-pro-search': model('perplexity/sonar-pro-search', 3, 15),
  'google/gemini-2.5-flash': model('google/gemini-2.5-flash', 0.3, 2.5),
  'google/gemini-2.5-flash-image': model('google/gemini-2.5-flash-image', 0.3, 2.5, 0.039),
  'google/gemini-3.1-flash-image-preview': model(
    'google/gemini-3.1-flash-image-preview-20260226',
    0.25,
    1.5,
    0.045,
  ),
  'google/gemini-3-pro-image-preview': model('google/gemini-3-pro-image-preview-20251120', 2, 12, 0.134),
};

// A token of Russian text is about three characters.
const CHARACTERS_PER_TOKEN = 3;

export const tokensIn = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

export function costOf({ prompt, completion, picture }: Model, input: number, output: number, drawn: number) {
  return (input * prompt + output * completion) / 1_000_000 + drawn * (picture ?? 0);
}
