import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

/** A case that cannot be played. Says which file and what is wrong in it. */
export class BadCase extends Error {
  override readonly name = 'BadCase';
}

export type TrainerCase = z.infer<typeof caseText>;

/** The cases shipped with the code. */
export const casesFolder = new URL('../../../prompts/trainer/', import.meta.url);

const COMPONENTS = 5;

const words = (most: number) => z.string().trim().min(1, 'is empty').max(most);
const ownCommands = ['start', 'help', 'cancel'];
const id = z
  .string()
  .regex(/^[a-z][a-z0-9]{1,19}$/u, 'should be 2 to 20 small letters or digits')
  .refine((name) => !ownCommands.includes(name), 'is a command of the bot itself');
const provider = z.enum(['openai', 'gemini']);
const providers = z
  .strictObject({ primary: provider, fallback: provider })
  .refine(({ primary, fallback }) => primary !== fallback, 'the fallback should not be the primary itself')
  .default({ primary: 'openai', fallback: 'gemini' });

/** Limits keep the case on one screen and its snapshot small. */
const caseText = z
  .strictObject({
    /** The file's name, and the command that opens the case. */
    id,
    order: z.number().int(),
    title: words(60),
    summary: words(100),
    /** What the five are called together. */
    method: words(30),
    counterpart: z.strictObject({ name: words(30), role: words(300), manner: words(600) }),
    situation: words(800),
    goal: words(400),
    opening: words(400),
    turns: z.number().int().min(2).max(20),
    components: z
      .array(
        z.strictObject({
          id: z.string().regex(/^[a-z]{2,20}$/u, 'should be 2 to 20 small letters'),
          name: words(30),
          /** For the person. */
          asks: words(100),
          /** For the model that listens. */
          reached_when: words(400),
        }),
      )
      .length(COMPONENTS, `should be ${COMPONENTS}`)
      .refine((all) => new Set(all.map((each) => each.id)).size === all.length, 'two have the same id'),
    /** The counterpart learns a fact from the turn after its component was reached. */
    hidden_facts: z.array(z.strictObject({ after: z.string(), fact: words(500) })),
    theory: words(3_000),
    providers: z.strictObject({ dialogue: providers, reviewer: providers }).default({
      dialogue: { primary: 'openai', fallback: 'gemini' },
      reviewer: { primary: 'openai', fallback: 'gemini' },
    }),
  })
  .superRefine(({ components, hidden_facts }, check) => {
    for (const [index, { after }] of hidden_facts.entries())
      if (!components.some((component) => component.id === after))
        check.addIssue({
          code: 'custom',
          path: ['hidden_facts', index, 'after'],
          message: `no component is called "${after}"`,
        });
  });

export function parseCase(yaml: string, file: string): TrainerCase {
  const parsed = caseText.safeParse(read(yaml, file), { error: missingInWords });
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new BadCase(`prompts/trainer/${file} cannot be played:\n${problems.join('\n')}`);
  }
  if (file !== `${parsed.data.id}.yaml`)
    throw new BadCase(`prompts/trainer/${file}: should be called ${parsed.data.id}.yaml by its id`);
  return parsed.data;
}

/** Every case of a folder, in the order in which they are offered. */
export async function loadCases(folder = casesFolder): Promise<TrainerCase[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
  const cases = await Promise.all(
    files.map(async (file) => parseCase(await readFile(new URL(file, folder), 'utf8'), file)),
  );
  return cases.sort((one, other) => one.order - other.order || one.id.localeCompare(other.id));
}

function read(yaml: string, file: string): unknown {
  try {
    return parse(yaml);
  } catch (cause) {
    throw new BadCase(`prompts/trainer/${file}: ${(cause as Error).message.split('\n')[0]}`, { cause });
  }
}

/** zod calls a field that is not there "expected string, received undefined". */
const missingInWords: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_type' && issue.input === undefined ? 'is missing' : undefined;
