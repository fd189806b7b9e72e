import { plural } from '../../russian.ts';
import { deletionScreen } from '../kit/deletion.ts';
import { to } from '../kit/link.ts';
import { button, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { toProject } from './projects.ts';

export type VoicePage = {
  projectId: number;
  projectName: string;
  voice: string;
  author: string;
  /** Whether there is a site or a channel to read, and something to read it with. */
  hasTexts: boolean;
  readsSites: boolean;
};

export const longestVoice = 900;
export const longestAuthor = 100;

export function voiceScreen(page: VoicePage): Screen {
  const { projectId: pid, projectName, voice, author, readsSites } = page;
  const canRead = readsSites && page.hasTexts;
  return {
    text: paragraphs(
      rich`<b>Голос компании</b> · ${projectName}`,
      voice === ''
        ? rich`Пока тексты пишутся обычным деловым голосом. ${howToFind(page)}. Так будут звучать статьи и посты.${readsSites && ' Это бесплатно.'}`
        : rich`<blockquote>${voice}</blockquote>`,
      voice !== '' && rich`Так звучат новые статьи и посты. Описание можно поправить своими словами.`,
      author === ''
        ? rich`Подпись под статьями: название компании. Статье с именем автора доверяют больше.`
        : rich`Статьи подписывает: ${author}`,
    ),
    keyboard: [
      ...(canRead
        ? [
            [
              button(
                voice === '' ? 'Прочитать мои тексты' : 'Прочитать заново',
                to('project:{pid}:voice_read', { pid }),
                'primary',
              ),
            ],
          ]
        : []),
      [button(voice === '' ? 'Описать самому' : 'Поправить', to('project:{pid}:voice_edit', { pid }))],
      ...(voice === '' ? [] : [[button('Убрать голос', to('project:{pid}:voice_drop', { pid }), 'danger')]]),
      [button(author === '' ? 'Указать автора' : 'Другой автор', to('project:{pid}:voice_author', { pid }))],
      [toProject(pid)],
    ],
  };
}

export const dropVoiceScreen = ({ projectId: pid, projectName, voice }: VoicePage): Screen =>
  deletionScreen({
    question: rich`Убрать голос компании <b>${projectName}</b>? Новые тексты снова будут обычными.`,
    head: rich`Исчезнет:`,
    losses: [[voice === '' ? 0 : 1, 'описание голоса', 'описания голоса', 'описаний голоса']],
    draftTokens: 0,
    what: voice,
    confirm: (h) => to('project:{pid}:voice_drop:yes:{h}', { pid, h }),
    back: to('project:{pid}:voice', { pid }),
  });

function howToFind({ hasTexts, readsSites }: VoicePage): string {
  if (!readsSites) return 'Опишите, как говорит ваша компания';
  const toRead = 'прочитаю до десяти ваших текстов и опишу, как вы говорите';
  return hasTexts
    ? `Могу взять сайт и канал: ${toRead}`
    : `Укажите в данных проекта сайт или канал, и я ${toRead}`;
}

export const askVoiceScreen = (now: string): Screen => ({
  text: paragraphs(
    rich`<b>Как говорит ваша компания?</b>`,
    rich`На «вы» или на «ты», коротко или обстоятельно, с шуткой или строго, любимые слова и чего не бывает. До ${String(longestVoice)} знаков.`,
    now !== '' && rich`Сейчас:\n<code>${now}</code>`,
  ),
  keyboard: [],
});

export const askAuthorScreen = (now: string): Screen => ({
  text: paragraphs(
    rich`<b>Кто подписывает статьи?</b>`,
    rich`Имя и фамилия настоящего человека, можно с должностью: «Анна Петрова, технолог». Минус («-») — подписывать названием компании.`,
    now !== '' && rich`Сейчас: ${now}`,
  ),
  keyboard: [],
});

export const voiceNotices = {
  tooLong: (most: number): RichText => rich`Нужно от 2 до ${String(most)} знаков. Пришлите ещё раз.`,
  saved: rich`✓ Сохранено: новые тексты будут звучать так.`,
  signed: rich`✓ Автор сохранён: подпись появится под следующими статьями.`,
  unsigned: rich`✓ Следующие статьи снова подпишет название компании.`,
  dropped: rich`Голос убран: тексты снова пишутся обычным.`,
  reading: rich`Читаю ваши тексты на сайте и в канале. Обычно это занимает полминуты…`,
  read: (texts: number): RichText =>
    rich`Готово: прочитано ${plural(texts, 'текст', 'текста', 'текстов')}. Проверьте описание и поправьте, если не похоже.`,
};
