import { MOST_CHOICES } from '../../../machines/fragments/connection-slice.ts';
import type { VkGroupChoice, VkSlice } from '../../../machines/fragments/vk-questions.ts';
import { plural } from '../../russian.ts';
import { refusalOf } from '../kit/connecting.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { PAGE_SIZE, pagerRows, paginate } from '../kit/pager.ts';
import { workingOnIt } from '../kit/save-step.ts';
import { button, type Keyboard, lines, paragraphs, rich, type Screen, urlButton } from '../kit/screen.ts';

type Show = (slice: VkSlice) => Screen;
type VkStep = 'token' | 'reading' | 'group' | 'saving';

/** From a key of VK to a connected community. `ways`: the buttons that every question has below. */
export function vkScreens(ways: Keyboard): Record<VkStep, Show> {
  return {
    token: ({ vk: { invalid, helpWanted, sealed }, failure }) => {
      const complaint = invalid
        ? rich`Это не похоже на ключ VK: он длинный, без пробелов и обычно начинается с vk1.a. Сообщение я удалил.`
        : refusalOf(failure);
      return {
        ...(complaint && { complaint }),
        text: paragraphs(
          rich`<b>Подключение VK (1/2)</b>`,
          rich`Пришлите ключ доступа сообщества. Он создаётся за минуту: «Управление» → «Работа с API» → «Создать ключ», отметьте «Стена».`,
          helpWanted && vkHelp,
          rich`Сообщение с ключом я сразу удалю из чата, храню его только зашифрованным.`,
        ),
        keyboard: [
          ...(failure?.retryable && sealed !== null
            ? [[button('Проверить снова', to('vk:recheck'), 'primary')]]
            : []),
          ...(helpWanted ? [] : [[button('А с картинками?', to('vk:help'))]]),
          [urlButton('Инструкция VK', 'https://dev.vk.com/ru/api/access-token/getting-started')],
          ...ways,
        ],
      };
    },
    reading: () => workingOnIt(rich`Спрашиваю VK, что открывает этот ключ. В чате его уже нет.`),
    group: ({ vk: { known, page }, failure }) => {
      const shown = paginate(known?.groups ?? [], page);
      const complaint = refusalOf(failure);
      return {
        ...(complaint && { complaint }),
        text: paragraphs(
          rich`<b>Подключение VK (2/2)</b>`,
          rich`В каком сообществе публиковать? Здесь те, где вы администратор или редактор.`,
          shown.count === MOST_CHOICES &&
            rich`Показаны первые ${MOST_CHOICES}. Нужного нет — создайте ключ в нём самом и пришлите: «Другой ключ».`,
        ),
        keyboard: [
          ...shown.items.map((group, at) => [
            button(labelOf(group), to('vk:group:{i}', { i: (shown.page - 1) * PAGE_SIZE + at })),
          ]),
          ...pagerRows(shown, (n) => to('page:vkgroups:{n}', { n })),
          [button('Другой ключ', to('vk:rekey'))],
          ...ways,
        ],
      };
    },
    saving: ({ vk: { known, groupId } }) =>
      workingOnIt(rich`Подключаю ${known?.groups.find(({ id }) => id === groupId)?.name ?? 'сообщество'}…`),
  };
}

export const vkPresses = [
  press('vk:recheck', () => ({ type: 'retried' }) as const),
  press('vk:help', () => ({ type: 'help.asked' }) as const),
  press('vk:group:{i}', ({ i }) => ({ type: 'group.chosen', index: i }) as const),
  press('page:vkgroups:{n}', ({ n }) => ({ type: 'page.turned', page: n }) as const),
  press('vk:rekey', () => ({ type: 'key.changed' }) as const),
];

/** A community's own key cannot bring photos: VK takes them from a person alone. */
const vkHelp = lines(
  rich`Ключ сообщества публикует текст и ссылки: картинки VK по нему не принимает.`,
  rich`С картинками работает ключ пользователя с правами wall, photos, groups и offline. Если он у вас есть, пришлите его: спрошу, какое из ваших сообществ подключить.`,
);

const labelOf = ({ name, members }: VkGroupChoice): string =>
  members === null ? name : `${name} · ${plural(members, 'участник', 'участника', 'участников')}`;
