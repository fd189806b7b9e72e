import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CheckServices } from './check-services.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** What the stores know of all processes together; every process tells the same. */
export type SharedFigures = {
  operations: number;
  deliveries: Readonly<Record<string, number>>;
  queueAgeSeconds: number;
  scheduleLagSeconds: number;
  unknownPublications: number;
  poolWaitSeconds: number;
  processes: number;
};

/** What only this machine knows. */
type OwnFigures = { freeDiskShare: number };

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The numbers of this process for Prometheus. Cheap to note; what needs a question is asked when they are read. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const updates = new Counter({
    ...{ name: 'seo_updates_total', help: 'Updates taken, by kind and outcome', registers },
    labelNames: ['kind', 'outcome'],
  });
  const durations = new Histogram({
    ...{ name: 'seo_update_duration_seconds', help: 'From an update to its screen', registers },
    ...{ labelNames: ['kind'], buckets: seconds },
  });
  const transitions = new Counter({
    ...{
      name: 'seo_transitions_total',
      help: 'Steps of dialogues, by flow and the state they led to',
      registers,
    },
    labelNames: ['flow', 'state'],
  });
  const cost = new Counter({
    ...{ name: 'seo_api_cost_usd_total', help: 'What suppliers took, in dollars', registers },
    labelNames: ['provider'],
  });
  const models = new Counter({
    ...{ name: 'seo_model_answers_total', help: 'Questions to models, by kind and outcome', registers },
    labelNames: ['kind', 'outcome'],
  });
  const broadcast = new Counter({
    ...{ name: 'seo_broadcast_messages_total', help: 'Messages of broadcasts, by outcome', registers },
    labelNames: ['outcome'],
  });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const busy = gauge('seo_busy_work', 'Dialogues that work this moment');
  const operations = gauge('seo_operations_running', 'Keyed operations in hand, of all processes');
  const deliveries = gauge('seo_deliveries', 'Deliveries of autoposting that are not finished well', [
    'status',
  ]);
  const queueAge = gauge('seo_queue_age_seconds', 'How long the oldest due delivery has waited');
  const scheduleLag = gauge(
    'seo_schedule_lag_seconds',
    'How late the oldest call of a schedule is, made or not',
  );
  const unknown = gauge('seo_unknown_publications', 'Publications whose answer was lost');
  const poolWait = gauge(
    'seo_pool_wait_seconds',
    'How long a connection to the database was waited for just now',
  );
  const processes = gauge('seo_processes', 'Processes that live');
  const freeDisk = gauge('seo_disk_free_ratio', 'The free share of the disk that holds DATA_DIR');
  const up = gauge('seo_service_up', 'Whether a service answers', ['service']);
  const latency = gauge('seo_service_latency_seconds', 'How long its answer took', ['service']);
  return {
    updateTaken(kind: string, outcome: 'applied' | 'failed' | 'later', tookSeconds: number): void {
      updates.inc({ kind, outcome });
      durations.observe({ kind }, tookSeconds);
    },
    transition: (flow: string, state: string) => transitions.inc({ flow, state }),
    cost: (provider: string, usd: number) => cost.inc({ provider }, usd),
    model: (kind: string, outcome: 'answered' | 'failed') => models.inc({ kind, outcome }),
    broadcast: (outcome: string) => broadcast.inc({ outcome }),
    read,
  };

  /** In the text form of Prometheus. */
  async function read(ask: {
    checkServices: CheckServices;
    busy(): number;
    own(): Promise<OwnFigures>;
    shared(): Promise<SharedFigures | null>;
  }) {
    const [services, own, shared] = await Promise.all([ask.checkServices(), ask.own(), ask.shared()]);
    freeDisk.set(own.freeDiskShare);
    busy.set(ask.busy());
    for (const { name, isUp, latencyMs } of services) {
      up.set({ service: name }, Number(isUp));
      latency.set({ service: name }, latencyMs / 1000);
    }
    if (shared) {
      operations.set(shared.operations);
      deliveries.reset();
      for (const [status, amount] of Object.entries(shared.deliveries)) deliveries.set({ status }, amount);
      queueAge.set(shared.queueAgeSeconds);
      scheduleLag.set(shared.scheduleLagSeconds);
      unknown.set(shared.unknownPublications);
      poolWait.set(shared.poolWaitSeconds);
      processes.set(shared.processes);
    }
    return { contentType: registry.contentType, text: await registry.metrics() };
  }
}
