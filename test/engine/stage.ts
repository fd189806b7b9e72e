import { pino } from 'pino';
import { fromPromise } from 'xstate';
import type { Parking } from '../../machines/flow-entry.ts';
import { registry } from '../../machines/registry.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { createFlows } from '../../src/engine/flows.ts';
import type { Action } from '../../src/engine/incoming.ts';
import { StoreAway } from '../../src/engine/not-applied.ts';
import type { Presenter, ShowRequest } from '../../src/engine/presenter.ts';
import { freshSession, parseSession, type Session } from '../../src/engine/session.ts';
import type { SessionStore } from '../../src/engine/session-store.ts';
import { createMenu, type Route, route } from '../../src/menu/create-menu.ts';
import { nearest } from '../../src/menu/dashboard.ts';
import { toHtml } from '../../src/messengers/telegram/to-html.ts';
import { looksLikeSecret } from '../../src/platforms/secret-shapes.ts';
import { type Link, to } from '../../src/screens/kit/link.ts';
import { button, paragraphs, type RichText, rich } from '../../src/screens/kit/screen.ts';
import { loadFlowScreens } from '../../src/screens/load-flow-screens.ts';
import { categoryCreatedScreen } from '../../src/screens/pages/categories.ts';
import { projectCreatedScreen } from '../../src/screens/pages/projects.ts';
import { createMemoryInbox } from '../../src/store/inbox-memory.ts';
import { createMemorySessionStore } from '../../src/store/session-store-memory.ts';

export type Message = { id: string; text: string; buttons: { label: string; link: Link }[] };
export type LogLine = { level: number; msg: string; [field: string]: unknown };

const screens = await loadFlowScreens();
const faces = {
  ...screens,
  ProjectCreate: {
    ...screens.ProjectCreate,
    missed: {
      'grant.received': () => ({ text: rich`Разрешение пришло, когда мастер уже закрыли`, keyboard: [] }),
    },
  },
};
const usual = createFlows(registry, faces);

/** The same flows, with the wizard kept for people who leave it. */
const withParking = (parking: Parking) =>
  createFlows({ ...registry, ProjectCreate: { ...registry.ProjectCreate, parking } }, faces);

/**
 * The engine with its true flows and screens between a messenger, a menu and services that the test plays. Time
 * stands still until the test moves it.
 */
export function openStage({
  inactivityMs = 30 * 60_000,
  throttlePerMinute = 1_000,
  moreRoutes = [] as Route[],
  menu = menuWith(moreRoutes),
  parking = undefined as Parking | undefined,
  /** How the messenger names its messages, from the first on. */
  nameOf = (count: number) => String(count),
} = {}) {
  const flows = parking ? withParking(parking) : usual;
  const clock = { now: 1_700_000_000_000 };
  const store = createMemorySessionStore(() => clock.now);
  const inbox = createMemoryInbox(() => clock.now);
  const chats = new Map<number, Message[]>();
  const shows: (ShowRequest & { messageId: string })[] = [];
  const failures: Error[] = [];
  const log: LogLine[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const noted: number[] = [];
  const ports = {
    saveProject: playedPort({ projectId: 5 }),
    saveProjectField: playedPort(null),
    saveCategory: playedPort({ categoryId: 9 }),
    reachSite: playedPort({
      identifier: 'romashka.ru',
      name: '',
      url: 'https://romashka.ru/',
      otherProject: null,
      authorization: null,
    }),
    connectWordPress: playedPort({ connectionId: 3 }),
    offerConsent: playedPort({ link: 'https://pinterest.example/oauth', nonce: 'n' }),
    generateKeywords: playedPort(null),
    generateArticle: playedPort(null),
    regenerateArticle: playedPort(null),
    publishArticle: playedPort(null),
    cancelDraft: playedPort({ returned: 0 }),
    takeHtml: playedPort({ final: 50 }),
  };
  const engines: Engine[] = [];
  let nextMessage = 100;
  let nextUpdate = 1_000;
  return {
    clock,
    store,
    inbox,
    ports,
    log,
    shows,
    noted,
    start,
    startDyingAtSave,
    person,
    session,
    stores,
    storesBehind,
    storesText,
    pass: (ms: number) => {
      clock.now += ms;
    },
    /** The next screens are not shown: the messenger answers with these errors instead. */
    messengerFails: (...errors: Error[]) => void failures.push(...errors),
    close: () => Promise.all(engines.map((engine) => engine.stop(0))),
  };

  /** A process of the bot. Dead, it neither reads nor writes nor says anything any more, as after a kill. */
  function start(given: SessionStore = store, callsLeft = Number.POSITIVE_INFINITY) {
    const life = { over: false, callsLeft };
    const engine = createEngine({
      store: mortal(given, life),
      flows,
      menu,
      presenter: mortal<Presenter>({ show }, life),
      isAway: (error) => error instanceof StoreAway,
      inbox: mortal(inbox, life),
      seal: (run, secret) => `${run} sealed ${secret.length}`,
      looksLikeSecret,
      people: {
        async note({ id }) {
          noted.push(id);
          return { isRecent: true, isAdmin: false };
        },
      },
      actors: {
        ...unplayedPorts(),
        ...Object.fromEntries(
          Object.entries(ports).map(([name, port]) => [
            name,
            fromPromise(({ input, signal }) => port.call(input, signal)),
          ]),
        ),
      },
      settings: { inactivityMs, ttlSeconds: 86_400, throttlePerMinute },
      log: logger,
      now: () => clock.now,
    });
    engines.push(engine);
    return {
      ...engine,
      dies() {
        life.over = true;
      },
      sweeps: () => engine.recover({ exclusive: false }),
    };
  }

  /** A process that is killed as soon as its first decision is stored. */
  function startDyingAtSave() {
    const dying = start({
      ...store,
      async save(hold, record) {
        const saved = await store.save(hold, record);
        dying.dies();
        return saved;
      },
    });
    return dying;
  }

  async function show(request: ShowRequest): Promise<{ messageId: string }> {
    const failure = failures.shift();
    if (failure) throw failure;
    const chat = chats.get(request.userId) ?? [];
    chats.set(request.userId, chat);
    const old = chat.find(({ id }) => id === request.replace);
    if (!old) nextMessage += 1;
    const message = {
      id: old?.id ?? nameOf(nextMessage),
      text: toHtml(paragraphs(request.notice, request.screen.text)),
      buttons: request.screen.keyboard
        .flat()
        .flatMap((each) => ('link' in each ? [{ label: each.label, link: each.link }] : [])),
    };
    if (old) Object.assign(old, message);
    else chat.push(message);
    shows.push({ ...request, messageId: message.id });
    return { messageId: message.id };
  }

  /** Somebody who talks to one process of the bot. */
  function person(engine: Pick<Engine, 'handle'>, userId = 7) {
    return { userId, says, commands, presses, does, sees: () => see().at(-1)?.text, chat: see, movesTo };

    function see(): Message[] {
      return chats.get(userId) ?? [];
    }

    /** The same person, whose updates now go to another process. */
    function movesTo(other: Pick<Engine, 'handle'>) {
      return person(other, userId);
    }

    /** What the bot answered to the deed itself: for a press, its toast. */
    async function does(action: Action, updateId = nextUpdate++): Promise<(string | undefined)[]> {
      const answers: (string | undefined)[] = [];
      await engine.handle({
        updateId,
        userId,
        person: { username: null, firstName: 'Анна', lastName: null },
        action,
        log: logger.child({ user: userId, update: updateId }),
        acknowledge: (toast) => answers.push(toast) > 0,
        erase: () => void answers.push('erased'),
      });
      return answers;
    }

    function says(text: string) {
      return does({ kind: 'text', text });
    }

    function commands(name: string) {
      return does({ kind: 'command', name, payload: '' });
    }

    /** Presses the newest button with this label. */
    function presses(label: string) {
      const message = see().findLast(({ buttons }) => buttons.some((each) => each.label === label));
      if (!message) throw new Error(`nobody sees "${label}"; the last message: ${see().at(-1)?.text}`);
      const { link } = message.buttons.find((each) => each.label === label)!;
      return does({ kind: 'press', link, messageId: message.id });
    }
  }

  /** This run stands in the store as the one that the person is in. */
  function stores(userId: number, flow: object, due: { dueAt?: number } = {}): Promise<void> {
    return storesText(userId, JSON.stringify({ ...freshSession(clock.now, menu.home), flow }), due);
  }

  /** This run stands in the store as one that the person has left. */
  async function storesBehind(userId: number, run: object): Promise<void> {
    await storesText(userId, JSON.stringify({ ...(await session(userId)), background: [run] }));
  }

  async function storesText(userId: number, text: string, { dueAt }: { dueAt?: number } = {}): Promise<void> {
    const admission = await store.acquire({ userId, ticket: 'the test', leaseMs: 1_000 });
    if (!('hold' in admission)) throw new Error(`the session is ${admission.outcome}`);
    const attention = dueAt === undefined ? [] : [{ of: 'screen', at: dueAt, owner: 'show:0' }];
    const saved = await store.save(admission.hold, { session: text, attention, ttlSeconds: 86_400 });
    await store.release(saved!, {});
  }

  async function session(userId = 7): Promise<Session> {
    return parseSession((await store.peek(userId))!)!;
  }
}

export type Stage = ReturnType<typeof openStage>;

type Call = {
  input: unknown;
  signal: AbortSignal;
  resolve(output?: unknown): void;
  reject(error: unknown): void;
};

/** A service that the test plays: it answers at once, or when it is told to. */
function playedPort(usual: unknown) {
  const calls: Call[] = [];
  let answerTo: (input: unknown) => unknown = () => usual;
  let answersAtOnce = true;
  let failure: unknown = null;
  return {
    calls,
    call,
    /** What it answers depends on what it is asked. */
    answersWith(answer: (input: never) => unknown) {
      answerTo = answer as (input: unknown) => unknown;
    },
    isSlow() {
      answersAtOnce = false;
    },
    failsOnce(error: unknown) {
      failure = error;
    },
    keys: () => calls.map(({ input }) => (input as { key: string }).key),
  };

  function call(input: unknown, signal: AbortSignal): Promise<unknown> {
    const { promise, resolve, reject } = withResolvers();
    calls.push({ input, signal, resolve: (output = answerTo(input)) => resolve(output), reject });
    if (failure !== null) reject(failure);
    else if (answersAtOnce) resolve(answerTo(input));
    failure = null;
    return promise;
  }
}

function withResolvers() {
  let resolve!: (value: unknown) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<unknown>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** After death no call comes back, and none is heard. */
function mortal<Port extends object>(port: Port, life: { over: boolean; callsLeft: number }): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const call = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        if (life.over) return new Promise(() => undefined);
        const answer = await call(...args);
        life.callsLeft -= 1;
        if (life.callsLeft <= 0) life.over = true;
        return life.over ? new Promise(() => undefined) : answer;
      };
    },
  });
}

/** What a person sees at the end of the wizard, from the flow itself or read again. */
export const projectCreated = toHtml(projectCreatedScreen(5, 'Ромашка').text);

const page = (title: string, ...buttons: ReturnType<typeof button>[]) => ({
  show: { text: rich`${title}` satisfies RichText, keyboard: [buttons] },
});
const projects = button('Проекты', to('nav:projects'));
const home = button('Меню', to('nav:dashboard'));

/** A few pages, enough to enter every flow and to come out of it. */
const menuWith = (more: Route[]) =>
  createMenu({
    routes: [
      route('nav:dashboard', () => page('Главное меню', projects)),
      route('nav:start', () => page('С возвращением', projects)),
      route('nav:welcome', () => page('Добро пожаловать', projects)),
      route('nav:projects', () => page('Проекты', button('Создать проект', to('project:create')), home)),
      route('project:create', () => ({
        start: { flow: 'ProjectCreate', input: {} },
        origin: to('nav:projects'),
      })),
      route('project:{pid}:created', ({ pid }) => ({ show: projectCreatedScreen(pid, 'Ромашка') })),
      route('project:{pid}:edit', ({ pid }) =>
        page(
          `Данные проекта ${pid}`,
          button('Город', to('project:{pid}:edit:{field}', { pid, field: 'company_city' })),
          button('Новая категория', to('project:{pid}:cat_new', { pid })),
          button('Подключить сайт', to('project:{pid}:conn_add:wordpress', { pid })),
          home,
        ),
      ),
      route('project:{pid}:edit:{field}', ({ pid }) => ({
        start: { flow: 'ProjectEdit', input: { projectId: pid, field: 'company_city', current: 'Омск' } },
        origin: to('project:{pid}:edit', { pid }),
      })),
      route('project:{pid}:cat_new', ({ pid }) => ({
        start: { flow: 'CategoryCreate', input: { projectId: pid, projectName: 'Ромашка' } },
        origin: to('project:{pid}:edit', { pid }),
      })),
      route('project:{pid}:conn_add:wordpress', ({ pid }) => ({
        start: {
          flow: 'ConnectWordPress',
          input: { projectId: pid, projectName: 'Ромашка', ownSite: null, reconnect: null },
        },
        origin: to('project:{pid}:edit', { pid }),
      })),
      route('category:{cid}:created', ({ cid }) => ({
        show: categoryCreatedScreen({ id: cid, name: 'Букеты' }),
      })),
      route('project:{pid}:card', () => ({ missing: true, nearest: to('nav:projects') })),
      ...more,
    ],
    labels: [{ label: 'Меню', pattern: 'nav:dashboard' }],
    home: to('nav:dashboard'),
    nearest,
    start: async (_payload, _visitor, isNew) => to(isNew ? 'nav:welcome' : 'nav:start'),
  });

export const pressOf = (link: Link | null, messageId: string | null): Action => ({
  kind: 'press',
  link,
  messageId,
});

/** Of flows that no test on the stage walks through: asked for, they fail as a service would. */
function unplayedPorts() {
  const names = Object.values(registry).flatMap(({ machine }) => Object.keys(machine.implementations.actors));
  const fails = fromPromise(() => Promise.reject(new Error('this service is not played')));
  return Object.fromEntries(names.map((name) => [name, fails]));
}
