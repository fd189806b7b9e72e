import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { formattingTags } from './clean-variable.ts';
import { compileTemplate, type PromptTemplate } from './prompt-template.ts';
import { type Task, tasks } from './tasks.ts';

/** A prompt that cannot be used. Says which one and why. */
export class BadPrompt extends Error {
  override readonly name = 'BadPrompt';
}

type PromptVariable = z.infer<typeof variableEntry>;
type PromptMeta = z.infer<typeof promptText>['meta'];

export type Prompt = {
  /** As `article_v7`: what the file is called and what a publication remembers. */
  name: string;
  meta: PromptMeta;
  system: PromptTemplate | null;
  user: PromptTemplate;
  variables: readonly PromptVariable[];
};

/** A prompt together with the text that it was read from. */
export type PromptFile = { task: Task; version: string; yaml: string; prompt: Prompt };

const variableEntry = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z]+(?:_[a-z]+)*$/u)
    .refine((name) => !formattingTags.includes(name), 'is the name of a formatting tag'),
  required: z.boolean().default(false),
  default: z.union([z.string(), z.number()]).optional(),
  description: z.string().optional(),
});

const promptText = z.strictObject({
  meta: z.strictObject({
    task_type: z.enum(Object.keys(tasks) as [Task, ...Task[]]),
    version: z.string().regex(/^v\d+$/u),
    model_tier: z.enum(['premium', 'budget', 'search', 'image']),
    max_tokens: z.number().int().positive(),
    temperature: z.number().min(0).max(2).optional(),
    /** Seconds. */
    timeout: z.number().positive().optional(),
  }),
  system: z.string().optional(),
  user: z.string().min(1),
  variables: z.array(variableEntry),
});

/** Where the file is not called after its task. */
const fileStems: Partial<Record<Task, string>> = {
  social_post: 'social',
  keyword_clusters: 'keywords_cluster',
  article_research: 'research',
};

/** `source` is named in the complaint. */
export function parsePrompt(yaml: string, source: string): Prompt {
  const { meta, system, user, variables } = readText(yaml, source);
  const prompt: Prompt = {
    name: `${fileStems[meta.task_type] ?? meta.task_type}_${meta.version}`,
    meta,
    system: system === undefined ? null : compile(system, `${source}, system`),
    user: compile(user, `${source}, user`),
    variables,
  };
  const declared = new Set(variables.map(({ name }) => name));
  const unknown = [...(prompt.system?.names ?? []), ...prompt.user.names].filter(
    (name) => !declared.has(name),
  );
  if (unknown.length > 0) throw new BadPrompt(`${source}: not among variables: ${unknown.join(', ')}`);
  return prompt;
}

/** Every prompt of a folder, in the order of their names. */
export async function loadPromptFiles(folder: URL): Promise<PromptFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  return Promise.all(
    names.map(async (file) => {
      const yaml = await readFile(new URL(file, folder), 'utf8');
      const prompt = parsePrompt(yaml, file);
      if (file !== `${prompt.name}.yaml`)
        throw new BadPrompt(`${file}: should be called ${prompt.name}.yaml by its task and version`);
      return { task: prompt.meta.task_type, version: prompt.meta.version, yaml, prompt };
    }),
  );
}

function readText(yaml: string, source: string): z.infer<typeof promptText> {
  const parsed = promptText.safeParse(attempt(() => parse(yaml), source));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new BadPrompt(`${source}: ${problems.join('; ')}`);
}

const compile = (text: string, source: string) => attempt(() => compileTemplate(text), source);

function attempt<Result>(work: () => Result, source: string): Result {
  try {
    return work();
  } catch (cause) {
    throw new BadPrompt(`${source}: ${(cause as Error).message.split('\n')[0]}`, { cause });
  }
}
