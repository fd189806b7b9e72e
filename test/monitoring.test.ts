import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../src/services/monitor/metrics.ts';

type Target = { expr: string };
type Dashboard = { panels: { id: number; title: string; targets?: Target[] }[] };
type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
type Compose = { services: Record<string, { profiles?: string[]; volumes?: string[] }> };

const dashboard = JSON.parse(readFileSync('.monitoring/dashboard.json', 'utf8')) as Dashboard;
const rules = parse(readFileSync('.monitoring/alerts.yml', 'utf8')) as Rules;
const compose = parse(readFileSync('compose.yaml', 'utf8')) as Compose;

const queries = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expr }))),
  ...rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => ({ of: alert, expr }))),
];

/** Every metric of the bot with its labels, as it tells them; and `up`, which is Prometheus's own. */
async function told(): Promise<Map<string, Set<string>>> {
  const metrics = createMetrics();
  metrics.updateTaken('press', 'applied', 0.1);
  metrics.updateTaken('press', 'failed', 0.1);
  metrics.transition('ProjectCreate', 'name');
  metrics.cost('openrouter', 1);
  metrics.model('texts', 'failed');
  metrics.broadcast('sent');
  const { text } = await metrics.read({
    checkServices: async () => [{ name: 'database', optional: false, isUp: true, latencyMs: 1 }],
    busy: () => 0,
    own: async () => ({ freeDiskShare: 0.5 }),
    shared: async () => ({
      ...{ operations: 0, deliveries: { queued: 1 }, queueAgeSeconds: 0, scheduleLagSeconds: 0 },
      ...{ unknownPublications: 0, poolWaitSeconds: 0, processes: 1 },
    }),
  });
  const names = new Map([['up', new Set(['job', 'instance', 'job="seo-master"'])]]);
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^(\w+)(?:\{([^}]*)\})? /u.exec(line) ?? [];
    if (!name) continue;
    const known = names.get(name) ?? new Set(['job', 'instance']);
    for (const [pair, label] of labels.matchAll(/(\w+)="[^"]*"/gu)) known.add(label!).add(pair);
    names.set(name, known);
  }
  return names;
}

describe('what stands beside the bot to watch it', () => {
  it('asks only for metrics that the bot tells, by labels that they have', async () => {
    const known = await told();
    expect(queries.length).toBeGreaterThan(30);
    for (const { of, expr } of queries) {
      const asked = [...expr.matchAll(/\b(?:seo|nodejs|process)_\w+|\bup\b/gu)].map(([name]) => name);
      expect(asked.length, of).toBeGreaterThan(0);
      expect(
        asked.filter((name) => !known.has(name)),
        of,
      ).toEqual([]);
      const labels = [
        ...[...expr.matchAll(/\bby \(([^)]*)\)/gu)].flatMap(([, list]) => list!.split(/,\s*/u)),
        ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/gu)].map(([, label]) => label!),
      ];
      const pairs = [...expr.matchAll(/(\w+)!?=("[^"]*")/gu)].map(([, label, value]) => `${label}=${value}`);
      const has = new Set(asked.flatMap((name) => [...known.get(name)!]));
      expect(
        [...labels, ...pairs].filter((each) => !has.has(each)),
        of,
      ).toEqual([]);
    }
  });

  it('shows every number of the product somewhere', async () => {
    const all = queries.map(({ expr }) => expr).join('\n');
    const own = [...(await told()).keys()].filter(
      (name) => name.startsWith('seo_') && !/_(sum|count)$/u.test(name),
    );
    expect(own.filter((name) => !all.includes(name))).toEqual([]);
  });

  it('is read by Prometheus itself', () => {
    const promtool = ['/usr/local/bin/promtool', '/usr/bin/promtool'].find((path) => existsSync(path));
    if (!promtool) return expect(process.env.CI).not.toBe('true');
    const check = (...args: string[]) => spawnSync(promtool, ['check', ...args], { encoding: 'utf8' });
    const alerts = check('rules', '.monitoring/alerts.yml');
    expect({ status: alerts.status, stderr: alerts.stderr }).toEqual({ status: 0, stderr: '' });
    const config = check('config', '--syntax-only', '.monitoring/prometheus.yml');
    expect({ status: config.status, stderr: config.stderr }).toEqual({ status: 0, stderr: '' });
    return undefined;
  });

  it('starts only when asked for, with files that exist', () => {
    const { prometheus, grafana } = compose.services;
    for (const service of [prometheus!, grafana!]) {
      expect(service.profiles).toEqual(['monitoring']);
      const mounted = service
        .volumes!.filter((each) => each.startsWith('./'))
        .map((each) => each.split(':')[0]!);
      expect(mounted.length).toBeGreaterThan(1);
      expect(mounted.filter((path) => !existsSync(path))).toEqual([]);
    }
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
