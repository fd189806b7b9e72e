import { type Platform, platformNames, platformTitle, takesArticles } from '../../platforms/platforms.ts';
import { date } from '../../russian.ts';
import { statusIcon } from '../kit/connection-status.ts';
import { deletionScreen } from '../kit/deletion.ts';
import { type Link, to } from '../kit/link.ts';
import { type Page, pagerRows } from '../kit/pager.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { toProject } from './projects.ts';
import { openDraftButton } from './publishing.ts';
import { type FilingSettings, filingLines, installSeoPluginButton } from './wordpress-settings.ts';

export type ConnectionLine = {
  id: number;
  platform: string;
  identifier: string;
  /** The person's own name for it, what the platform calls it, or its bare identifier. */
  name: string;
  status: string;
};

export type ConnectionCard = ConnectionLine & {
  projectId: number;
  projectName: string;
  timezone: string;
  /** Of a site; null for what has no address. */
  url: string | null;
  createdAt: Date;
  lastError: string | null;
  /** Our own bot is the administrator there, no bot of the person's. */
  ownBot: boolean;
  /** What this access cannot do, in words for the person. */
  note: string | null;
  schedules: number;
  /** Pages of the site that articles may link to, and its colours; null until they are known. */
  links: number | null;
  colors: string[] | null;
  /** How articles are filed on a site; null for other platforms. */
  settings: FilingSettings | null;
  /** The site has no SEO plugin, and its user may install one. */
  lacksSeoPlugin: boolean;
  /** The newest article of the project that has no site to go to. */
  homelessDraft: { id: number; title: string } | null;
  /** The newest post for this platform that was refused and waits for its owner. */
  waitingPost: { id: number; phrase: string; isHere: boolean } | null;
};

const toConnections = (pid: number): Button =>
  button('К подключениям', to('project:{pid}:connections', { pid }));

const addTo = (pid: number, platform: Platform): Link => to(`project:{pid}:conn_add:${platform}`, { pid });

export function connectionsScreen(
  pid: number,
  projectName: string,
  page: Page<ConnectionLine>,
  /** Platforms that this bot cannot reach, for want of its own keys there. */
  unavailable: readonly Platform[] = [],
): Screen {
  const additions = platformNames
    .filter((platform) => !unavailable.includes(platform))
    .map((platform) => button(`+ ${platformTitle(platform)}`, addTo(pid, platform)));
  return {
    text: paragraphs(
      rich`<b>Подключения</b> · ${projectName}`,
      page.count === 0
        ? rich`Пока ничего не подключено. Подключите площадку, и бот будет публиковать на ней сам: после вашего «да» или по расписанию.`
        : lines(
            ...page.items.map((item) => rich`${nameOf(item)} — ${statusWords[item.status] ?? item.status}`),
          ),
    ),
    keyboard: [
      ...page.items.map((item) => [button(nameOf(item), to('conn:{nid}:manage', { nid: item.id }))]),
      ...pagerRows(page, (n) => to('page:connections:{pid}:{n}', { pid, n })),
      ...inPairs(additions),
      [toProject(pid)],
    ],
  };
}

export function connectionScreen(card: ConnectionCard): Screen {
  const { id: nid, projectId: pid, platform, status, lastError } = card;
  const isSite = takesArticles(platform);
  return {
    text: paragraphs(
      rich`<b>${platformTitle(platform)}</b> · ${card.name}`,
      lines(
        rich`Проект: ${card.projectName}`,
        rich`Состояние: ${statusIcon(status)} ${statusWords[status] ?? status}`,
        lastError !== null && rich`Причина: ${lastError}`,
        card.ownBot && rich`Публикую сам: я администратор этого канала.`,
        card.note !== null && rich`${card.note}`,
        rich`Подключено: ${date(card.createdAt, card.timezone)}`,
        rich`Расписаний: ${card.schedules}`,
      ),
      isSite &&
        lines(
          rich`Страниц для ссылок: ${card.links ?? 'пока не знаю'}`,
          rich`Цвета сайта: ${card.colors?.join(', ') ?? 'пока не знаю'}`,
        ),
      card.settings && filingLines(card.settings),
    ),
    keyboard: [
      ...(isSite || status !== 'active'
        ? []
        : [[button('Опубликовать пост', to('pipeline:social:{nid}:confirm', { nid }), 'primary')]]),
      [button('Проверить', to('conn:{nid}:check', { nid }))],
      [
        button(
          'Переподключить',
          to('conn:{nid}:reconnect', { nid }),
          status === 'active' ? undefined : 'primary',
        ),
      ],
      ...(isSite ? [[button('Настройки WordPress', to('conn:{nid}:wp', { nid }))]] : []),
      ...(card.lacksSeoPlugin ? [[installSeoPluginButton(nid)]] : []),
      ...(isSite ? [] : [[button('Переименовать', to('conn:{nid}:rename', { nid }))]]),
      [button('Удалить', to('conn:{nid}:delete', { nid }), 'danger')],
      [toConnections(pid)],
    ],
  };
}

export function siteConnectedScreen(card: ConnectionCard): Screen {
  const { id: nid, projectId: pid, projectName, identifier, homelessDraft } = card;
  return {
    text: paragraphs(
      rich`Сайт <b>${identifier}</b> подключён к проекту «${projectName}».`,
      homelessDraft && rich`Ждёт сайта статья «${homelessDraft.title}»: её можно опубликовать здесь.`,
      rich`Я уже изучаю сайт: его цвета, страницы для ссылок и скорость. Ждать этого не нужно: можно сразу писать статью.`,
    ),
    keyboard: [
      ...(homelessDraft ? [[openDraftButton(homelessDraft.id, nid)]] : []),
      [button('Написать статью', to('pipeline:article:project:{pid}', { pid }), 'primary')],
      [toConnections(pid)],
    ],
  };
}

/** Any platform but a site: what comes next is a post. */
export function channelConnectedScreen(card: ConnectionCard): Screen {
  const { projectId: pid, projectName, name, platform, ownBot, note, waitingPost } = card;
  return {
    text: paragraphs(
      rich`<b>${platformTitle(platform)} · ${name}</b> — подключено к проекту «${projectName}».`,
      ownBot && rich`Токен не нужен: публиковать буду сам, как администратор канала.`,
      note !== null && rich`${note}`,
      waitingPost && rich`Ждёт отправки пост «${waitingPost.phrase}»: он цел и оплачен.`,
    ),
    keyboard: [
      ...(waitingPost ? [[button('Вернуться к посту', wayBack(waitingPost), 'success')]] : []),
      [button('Опубликовать пост', to('pipeline:social:project:{pid}', { pid }), 'primary')],
      [toConnections(pid)],
    ],
  };
}

/** A post for another channel is first asked whether it moves here. */
const wayBack = ({ id: n, isHere }: NonNullable<ConnectionCard['waitingPost']>): Link =>
  isHere ? to('post:{n}:open', { n }) : to('post:{n}:elsewhere', { n });

export function renameConnectionScreen({ platform, name }: ConnectionCard): Screen {
  return {
    text: paragraphs(
      rich`<b>${platformTitle(platform)}</b> · ${name}`,
      rich`Как назвать это подключение? До 60 символов, видите его только вы. Точка вернёт название с площадки.`,
    ),
    keyboard: [],
  };
}

/** A person who gave up half-way; that nothing was saved stands above, in the notice. */
export function leftConnectingScreen(pid: number, platform: Platform): Screen {
  return {
    text: rich`Подключить ${platformTitle(platform)} можно в любой момент.`,
    keyboard: [[toConnections(pid)]],
  };
}

/** A person came back from Pinterest, and no flow waits for them. */
export const consentLostScreen: Screen = {
  text: paragraphs(
    rich`<b>Этот вход в Pinterest уже не продолжить.</b>`,
    rich`Он уже закончен, прерван, начат из другого аккаунта Telegram, или прошло больше получаса. Откройте проект → «Подключения»: если доски там нет, нажмите «+ Pinterest» и попробуйте ещё раз.`,
  ),
  keyboard: [[button('Проекты', to('nav:projects'))], [menuButton]],
};

/** Why it failed stands above, in the notice. */
export function notConnectedScreen(pid: number, platform: Platform): Screen {
  return {
    text: rich`Ничего не сохранено. Исправьте и попробуйте ещё раз: ответы займут минуту.`,
    keyboard: [[button('Ещё раз', addTo(pid, platform), 'primary')], [toConnections(pid)]],
  };
}

export function deleteConnectionScreen({ id: nid, platform, name, schedules }: ConnectionCard): Screen {
  return deletionScreen({
    question: rich`Удалить подключение <b>${platformTitle(platform)}</b> ${name}?`,
    head: rich`Вместе с ним исчезнут:`,
    losses: [[schedules, 'расписание', 'расписания', 'расписаний']],
    draftTokens: 0,
    confirm: (h) => to('conn:{nid}:delete:confirm:{h}', { nid, h }),
    back: to('conn:{nid}:manage', { nid }),
  });
}

export const connectionNotices = {
  works: (name: string): RichText => rich`Проверил: ${name} отвечает, публиковать можно.`,
  broken: (name: string, reason: string): RichText => rich`${name} не отвечает как нужно. ${reason}`,
  deleted: (name: string): RichText => rich`Подключение ${name} удалено.`,
  renamed: (name: string): RichText => rich`Теперь оно называется «${name}».`,
  nameBack: rich`Название снова такое, как на площадке.`,
  badName: rich`Введите название от 1 до 60 символов.`,
};

const statusWords: Record<string, string> = {
  active: 'работает',
  error: 'ошибка',
  disconnected: 'отключено',
};

const nameOf = ({ platform, name, status }: ConnectionLine): string =>
  shortened(`${statusIcon(status)} ${platformTitle(platform)} · ${name}`);

const MOST_LABEL = 60;

function shortened(label: string): string {
  const characters = [...label];
  return characters.length > MOST_LABEL ? `${characters.slice(0, MOST_LABEL - 1).join('')}…` : label;
}

function inPairs(buttons: Button[]): Button[][] {
  const rows = Array.from({ length: Math.ceil(buttons.length / 2) }, (_, row) => row * 2);
  return rows.map((start) => buttons.slice(start, start + 2));
}
