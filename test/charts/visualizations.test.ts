import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { instance } from '@viz-js/viz';
import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, createActor, createMachine, getNextSnapshot } from 'xstate';
import { type ProcessId, processes } from '../../machines/processes.ts';
import { type FlowId, flowFileName, registry } from '../../machines/registry.ts';
import { autopostScheme } from '../../src/charts/autopost-scheme.ts';
import { drawHouse } from '../../src/charts/draw-house.ts';
import { flowDrawings } from '../../src/charts/flow-drawings.ts';
import { readChart } from '../../src/charts/read-chart.ts';
import { readHouse } from '../../src/charts/read-house.ts';
import { shopRegistry } from '../../src/shop-bot/registry.ts';

const folder = new URL('../../visualizations/', import.meta.url);
const readDrawing = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const charts = { ...registry, ...processes, ...shopRegistry };
const drawings = flowDrawings(charts, await instance());
const root = fileURLToPath(new URL('../../', import.meta.url));
const schemes = [
  ['autopost-architecture.svg', autopostScheme(await instance())],
  ['house.svg', drawHouse(readHouse(root), await instance())],
] as const;

/** Names of the FSM specification, of the trainer's, and of the autoposting reference. A flow of our own has none. */
const specifiedStates: Partial<Record<FlowId | ProcessId | keyof typeof shopRegistry, string[]>> = {
  ProjectCreate: ['name', 'company_name', 'specialization', 'website_url'],
  ProjectEdit: ['field_value'],
  CategoryCreate: ['name'],
  KeywordGeneration: [
    'products',
    'geography',
    'quantity',
    'confirm',
    'fetching',
    'clustering',
    'enriching',
    'results',
  ],
  KeywordUpload: ['file_upload', 'enriching', 'clustering', 'results'],
  ReviewGeneration: ['quantity', 'confirm_cost', 'generating', 'review'],
  PriceInput: ['choose_method', 'text_input', 'file_upload'],
  DescriptionGenerate: ['confirm', 'review'],
  ConnectWordPress: ['url', 'login', 'password'],
  ConnectTelegram: ['channel', 'token'],
  ConnectVK: ['token', 'select_group'],
  ConnectPinterest: ['oauth_callback', 'select_board'],
  ArticlePublish: ['confirm_cost', 'generating', 'preview', 'publishing', 'regenerating'],
  CompetitorAnalysis: ['url', 'confirm', 'analyzing', 'results'],
  ArticleRefresh: ['confirm', 'proposing', 'review', 'applying'],
  SiteAudit: ['confirm', 'auditing', 'results'],
  ScheduleSetup: ['select_days', 'select_count', 'select_times'],
  SocialPostPublish: ['confirm_cost', 'generating', 'review', 'publishing', 'regenerating'],
  ArticlePipeline: [
    'select_project',
    'create_project_name',
    'create_project_company',
    'create_project_spec',
    'create_project_url',
    'select_wp',
    'connect_wp_url',
    'connect_wp_login',
    'connect_wp_password',
    'select_category',
    'create_category_name',
    'readiness_check',
    'readiness_keywords_products',
    'readiness_keywords_geo',
    'readiness_keywords_qty',
    'readiness_keywords_generating',
    'readiness_keywords_upload',
    'readiness_description',
    'readiness_prices',
    'configure_images',
    'confirm_cost',
    'generating',
    'preview',
    'publishing',
    'regenerating',
  ],
  SocialPipeline: [
    'select_project',
    'create_project_name',
    'create_project_company',
    'create_project_spec',
    'create_project_url',
    'select_connection',
    'connect_tg_token',
    'connect_tg_verify',
    'connect_vk_token',
    'connect_vk_group',
    'connect_pinterest_oauth',
    'connect_pinterest_board',
    'select_category',
    'create_category_name',
    'readiness_check',
    'readiness_keywords_products',
    'readiness_keywords_geo',
    'readiness_keywords_qty',
    'readiness_keywords_generating',
    'readiness_keywords_upload',
    'readiness_description',
    'confirm_cost',
    'generating',
    'review',
    'publishing',
    'regenerating',
    'cross_post_targets',
    'cross_post_adapting',
    'cross_post_review',
    'cross_post_publishing',
  ],
  AIChat: ['intro', 'waiting_user', 'answering', 'reviewing', 'review_complete'],
  Delivery: [
    'queued',
    'claimed',
    'sending',
    'sent',
    'retry',
    'deduped',
    'failed_permanent',
    'dead',
    'unknown',
  ],
  ShopDialogue: ['idle', 'collecting', 'escalated'],
};

describe('visualizations/', () => {
  it('holds the drawings of every flow and nothing else', () => {
    expect(readdirSync(folder).sort(), 'run `npm run visualize`').toEqual(
      [...drawings, ...schemes].map(([file]) => file).sort(),
    );
  });

  it.each([...drawings, ...schemes])('%s shows things as they are now', (file, drawing) => {
    expect(readDrawing(file) === drawing, `${file} is stale: run \`npm run visualize\``).toBe(true);
  });

  it('is drawn to the same bytes every time', async () => {
    expect(flowDrawings(charts, await instance())).toEqual(drawings);
  });
});

describe.each(Object.entries(charts))('the chart of %s', (id, { machine, version }) => {
  const exported = JSON.parse(readDrawing(`${flowFileName(id)}.json`));
  const chart = readChart(machine);

  it('carries the id and the version under which the flow is stored', () => {
    expect(exported).toMatchObject({ id, version, config: { id } });
  });

  it('has every state of the specification', () => {
    expect(chart.states.map(({ name }) => name)).toEqual(
      expect.arrayContaining(specifiedStates[id as keyof typeof specifiedStates] ?? []),
    );
  });

  it('rebuilds the same states and transitions when it is pasted into createMachine', () => {
    expect(readChart(createMachine(exported.config))).toEqual(chart);
  });

  it('rebuilds them from the snippet for the Stately visualizer as well, and answers every event there', async () => {
    const snippet = new URL(`${flowFileName(id)}.machine.js`, folder);
    const { machine: pasted } = (await import(snippet.href)) as { machine: AnyStateMachine };
    expect(pasted.config).toEqual(exported.config);
    const running = pasted.provide({ actors: machine.implementations.actors }); // empty slots are only warned of
    expect(createActor(running).start().getSnapshot().status).toBe('active');
    for (const { source, event } of chart.edges) {
      const value = source ?? chart.states[0]!.name;
      const standing = running.resolveState({ value, context: {} });
      expect(getNextSnapshot(running, standing, { type: event }).error).toBeUndefined();
    }
  });

  it('refers to every guard, action, actor and delay by a name declared in setup', () => {
    expect(unnamedIn(machine.config)).toEqual([]);
    expect(undeclaredIn(machine)).toEqual([]);
  });

  it('shows every state in the picture and in the diagram', () => {
    const svg = readDrawing(`${flowFileName(id)}.svg`);
    const mermaid = readDrawing(`${flowFileName(id)}.mmd`);
    for (const { name } of chart.states) {
      expect(svg).toContain(`<g id="state-${name}" class="state`);
      expect(mermaid).toContain(`state "${name}" as `);
    }
  });
});

/** Data for an effect may be computed; what is decided or done may not, or the exported chart would lose it. */
const computed = ['params', 'input', 'context', 'output'];

function unnamedIn(value: unknown, path: string[] = []): string[] {
  const last = path.at(-1) ?? '';
  if (typeof value === 'function') return computed.includes(last) ? [] : [`${path.join('.')} is a function`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(last === 'after' && !Number.isNaN(Number(key))
      ? [`${path.join('.')}.${key} is a delay without a name`]
      : []),
    ...unnamedIn(inner, [...path, key]),
  ]);
}

function undeclaredIn(machine: AnyStateMachine): string[] {
  const { states, edges } = readChart(machine);
  const { guards, actions, actors } = machine.implementations;
  const used = {
    guards: edges.flatMap(({ guard }) => guard ?? []),
    actions: [
      ...edges.flatMap((edge) => edge.actions),
      ...states.flatMap(({ entry, exit }) => [...entry, ...exit]),
    ],
    actors: states.flatMap(({ invokes }) => invokes.map(({ src }) => src)),
  };
  return [
    ...used.guards.filter((name) => !Object.hasOwn(guards, name)),
    ...used.actions.filter((name) => !Object.hasOwn(actions, name)),
    ...used.actors.filter((name) => !Object.hasOwn(actors, name)),
  ];
}
