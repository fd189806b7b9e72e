import {
  type Block,
  chosenOf,
  type Effective,
  inheritedBlock,
  isOffered,
  MOST_TEXT_STYLES,
  type Scope,
  type SettingKey,
  type Stored,
  settingOf,
  wordRange,
} from '../../content-options.ts';
import { type Platform, platforms, platformTitle, takesArticles } from '../../platforms/platforms.ts';
import { articleEstimate, postEstimate, total } from '../../prices.ts';
import { ofTokens, plural } from '../../russian.ts';
import { type Link, to } from '../kit/link.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { ownSettings, toCategory } from './publishing.ts';

/** The settings of a category, or of one platform of it. */
export type SettingsPage = {
  categoryId: number;
  categoryName: string;
  projectId: number;
  /** Null: of the category. */
  scope: Scope;
  /** What is stored there; of a platform that inherits, what it inherits. */
  stored: Record<Block, Stored>;
  effective: Effective;
  /** Which blocks the platform has of its own. */
  own: Record<Block, boolean>;
  /** Connected platforms, and whether they go their own way. */
  platforms: readonly { platform: Platform; isOwn: boolean }[];
};

const textKeys: readonly SettingKey[] = ['ts', 'th', 'tw'];
const imageKeys: readonly SettingKey[] = ['ic', 'if', 'is', 'it'];
const moreKeys: readonly SettingKey[] = ['ik', 'ia', 'iq', 'io', 'il'];

const shortTitles: Partial<Record<SettingKey, string>> = { ts: 'Стиль', is: 'Стиль' };
const abouts: Partial<Record<SettingKey, string>> = {
  ts: `Можно выбрать до ${MOST_TEXT_STYLES}: нейросеть их соединит.`,
  th: 'Как подан материал: новостью, рассказом, сравнением.',
  if: 'Если отмечено несколько, картинки чередуются.',
  is: 'Если отмечено несколько, картинки чередуются.',
  iq: 'HD, Ultra HD и 8K меняют размер картинки, остальное — подсказки нейросети.',
  io: 'Какую часть картинки может занимать надпись.',
  il: 'Какую часть картинки займёт коллаж из нескольких кадров.',
};

/** The word of a scope in a link: `d` for the category. */
const code = (scope: Scope): string => scope ?? 'd';

export const settingsLink = ({ categoryId: cid, projectId: pid, scope }: SettingsPage): Link =>
  scope === null
    ? to('project:{pid}:category:{cid}:settings', { pid, cid })
    : to('category:{cid}:platform:{plt}:settings', { cid, plt: scope });

const blockLink = (cid: number, scope: Scope, block: Block): Link =>
  block === 'text'
    ? to('cs:{cid}:{g}:text', { cid, g: code(scope) })
    : to('cs:{cid}:{g}:img', { cid, g: code(scope) });

/** Where a single choice leads back to. */
export const parentLink = (cid: number, scope: Scope, key: SettingKey): Link =>
  moreKeys.includes(key)
    ? to('cs:{cid}:{g}:imx', { cid, g: code(scope) })
    : blockLink(cid, scope, settingOf(key).block);

export const optionsLink = (cid: number, scope: Scope, key: SettingKey): Link =>
  to('cs:{cid}:{g}:{key}', { cid, g: code(scope), key });

export function settingsScreen(page: SettingsPage): Screen {
  const { categoryId: cid, scope } = page;
  const isOwn = page.own.text || page.own.image;
  return {
    text: paragraphs(
      head(page),
      lines(rich`<b>Текст</b>${inherits(page, 'text')}`, ...textKeys.map((key) => line(page, key))),
      lines(
        rich`<b>Картинки</b>${inherits(page, 'image')}`,
        ...[...imageKeys, ...moreKeys].map((key) => line(page, key)),
      ),
      priceOf(page),
    ),
    keyboard: [
      [button('Текст', blockLink(cid, scope, 'text')), button('Картинки', blockLink(cid, scope, 'image'))],
      ...(scope === null
        ? page.platforms.map(({ platform, isOwn: apart }) => [
            button(
              `${platformTitle(platform)}${apart ? ` ${ownSettings}` : ''}`,
              to('category:{cid}:platform:{plt}:settings', { cid, plt: platform }),
            ),
          ])
        : []),
      ...(isOwn || (scope === null && hasChoices(page))
        ? [
            [
              button(
                scope === null ? 'Вернуть обычные' : 'Сбросить к настройкам категории',
                to('cs:{cid}:{g}:reset', { cid, g: code(scope) }),
                'danger',
              ),
            ],
          ]
        : []),
      [
        scope === null
          ? toCategory(cid)
          : button('Назад', to('category:{cid}:platform:{plt}:menu', { cid, plt: scope })),
      ],
    ],
  };
}

export function blockScreen(page: SettingsPage, block: Block): Screen {
  const keys = (block === 'text' ? textKeys : imageKeys).filter((key) => isOffered(key, page.scope));
  const shown = block === 'text' ? keys : [...keys, ...moreKeys];
  return {
    text: paragraphs(head(page), lines(...shown.map((key) => line(page, key)))),
    keyboard: [
      ...inPairs(keys.map((key) => settingButton(page, key))),
      ...(block === 'image'
        ? [[button('Ещё', to('cs:{cid}:{g}:imx', { cid: page.categoryId, g: code(page.scope) }))]]
        : []),
      [button('Назад', settingsLink(page))],
    ],
  };
}

export function moreScreen(page: SettingsPage): Screen {
  return {
    text: paragraphs(head(page), lines(...moreKeys.map((key) => line(page, key)))),
    keyboard: [
      ...inPairs(moreKeys.map((key) => settingButton(page, key))),
      [button('Назад', blockLink(page.categoryId, page.scope, 'image'))],
    ],
  };
}

export function optionsScreen(page: SettingsPage, key: SettingKey): Screen {
  const { categoryId: cid, scope } = page;
  const setting = settingOf(key);
  const press = (i: number, on: boolean): Link =>
    on
      ? to('cs:{cid}:{g}:{key}:{i}:on', { cid, g: code(scope), key, i })
      : to('cs:{cid}:{g}:{key}:{i}:off', { cid, g: code(scope), key, i });
  const options =
    setting.kind === 'one'
      ? setting
          .choices(scope)
          .map((choice, i) => tick(choice.label, setting.isNow(page.effective, choice), press(i, true)))
      : manyOptions();
  const about = abouts[key];
  // Nothing is ticked then, and the text above says more than the list below.
  const isUsual =
    setting.kind === 'many' &&
    setting.none === undefined &&
    chosenOf(setting, page.stored[setting.block]).length === 0;
  return {
    text: paragraphs(
      head(page),
      lines(
        rich`<b>${setting.title}</b>`,
        rich`Сейчас: ${nowText(page, key)}${isUsual && ', как обычно'}`,
        about !== undefined && rich`${about}`,
      ),
      key === 'tw' && lines(...lengthPrices(page)),
    ),
    keyboard: [
      ...(key === 'ic' ? inRows(options, 6) : inPairs(options)),
      [button(setting.kind === 'one' ? 'Назад' : 'Готово', parentLink(cid, scope, key))],
    ],
  };

  function manyOptions(): Button[] {
    if (setting.kind !== 'many') return [];
    const chosen = chosenOf(setting, page.stored[setting.block]);
    const all = setting.options.map((option, i) => {
      const isChosen = chosen.includes(option);
      return tick(option, isChosen, press(setting.none === undefined ? i : i + 1, !isChosen));
    });
    return setting.none === undefined
      ? all
      : [tick(setting.none, chosen.length === 0, press(0, true)), ...all];
  }
}

export function resetScreen(page: SettingsPage): Screen {
  const { categoryId: cid, scope } = page;
  return {
    text: paragraphs(
      head(page),
      scope === null
        ? rich`Вернуть обычные настройки? Всё, что выбрано для категории, забудется. Свои настройки площадок останутся.`
        : rich`Сбросить свои настройки? ${platformTitle(scope)} снова будет жить по настройкам категории.`,
    ),
    keyboard: [
      [button('Да, сбросить', to('cs:{cid}:{g}:reset:yes', { cid, g: code(scope) }), 'danger')],
      [button('Отмена', settingsLink(page))],
    ],
  };
}

export const settingNotices = {
  full: rich`Больше ${plural(MOST_TEXT_STYLES, 'стиля', 'стилей', 'стилей')} сразу не соединить. Снимите отметку с лишнего.`,
  reset: (scope: Scope): RichText =>
    scope === null
      ? rich`Настройки категории снова обычные.`
      : rich`${platformTitle(scope)} снова живёт по настройкам категории.`,
};

/** For the card of a category: how its articles are illustrated. */
export const picturesText = (page: SettingsPage): RichText =>
  rich`Картинки в статье: ${nowText(page, 'ic')}${page.effective.images.count > 0 && `, стиль — ${nowText(page, 'is').toLowerCase()}`}`;

const head = ({ categoryName, scope }: SettingsPage): RichText =>
  scope === null
    ? rich`<b>Настройки контента</b> · ${categoryName}`
    : rich`<b>Настройки для ${platformTitle(scope)}</b> · ${categoryName}`;

/** A category's settings are those of its articles: where it has chosen nothing, posts begin with values of their own. */
const inherits = ({ scope, own, stored }: SettingsPage, block: Block): string | null => {
  if (scope === null) return null;
  if (own[block]) return ` ${ownSettings}`;
  const isInherited = Object.keys(inheritedBlock(block, scope, stored[block])).length > 0;
  return isInherited || takesArticles(scope) ? ' · как у категории' : ' · обычные';
};

const line = (page: SettingsPage, key: SettingKey): RichText | false =>
  isOffered(key, page.scope) && rich`${settingOf(key).title}: ${nowText(page, key)}`;

function nowText({ effective, scope }: SettingsPage, key: SettingKey): string {
  const setting = settingOf(key);
  if (setting.kind === 'many') {
    const now = setting.now(effective);
    return now.length > 0 ? now.join(', ') : (setting.none ?? '—').toLowerCase();
  }
  if (key === 'tw') return wordRange(effective.text.words);
  const choice = setting.choices(scope).find((each) => setting.isNow(effective, each));
  return choice ? (key === 'ic' ? choice.label : choice.label.replace(/^Нет$/u, 'нет')) : 'обычное';
}

function priceOf({ scope, effective: { text, images } }: SettingsPage): RichText {
  const isArticle = scope === null || takesArticles(scope);
  const price = isArticle
    ? articleEstimate(text.words, images.count)
    : postEstimate(text.words, images.count);
  const what = isArticle ? 'Статья' : platforms[scope].content === 'pin' ? 'Пин' : 'Пост';
  return rich`${what} с такими настройками: около ${ofTokens(total(price))}.`;
}

function lengthPrices({ scope }: SettingsPage): RichText[] {
  const setting = settingOf('tw');
  if (setting.kind !== 'one') return [];
  const isArticle = scope === null || takesArticles(scope);
  return setting.choices(scope).map(({ label, set }) => {
    const words = { min: Number(set.words_min), max: Number(set.words_max) };
    const price = isArticle ? articleEstimate(words, 0) : postEstimate(words, 0);
    return rich`${label}: текст около ${ofTokens(total(price))}`;
  });
}

const hasChoices = ({ stored }: SettingsPage): boolean =>
  Object.keys(stored.text).length + Object.keys(stored.image).length > 0;

function settingButton({ categoryId, scope }: SettingsPage, key: SettingKey): Button {
  return button(shortTitles[key] ?? settingOf(key).title, optionsLink(categoryId, scope, key));
}

const tick = (label: string, isChosen: boolean, link: Link): Button =>
  button(isChosen ? `✓ ${label}` : label, link);

const inPairs = (buttons: readonly Button[]): Button[][] => inRows(buttons, 2);

const inRows = (buttons: readonly Button[], size: number): Button[][] =>
  Array.from({ length: Math.ceil(buttons.length / size) }, (_, i) => buttons.slice(i * size, (i + 1) * size));
