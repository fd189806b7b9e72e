import type { KeywordsUploaded, UploadSlice } from '../../../machines/fragments/keyword-upload.ts';
import { trouble } from '../kit/money.ts';
import { progressScreen, type Stages } from '../kit/progress.ts';
import { type Keyboard, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { countsNotice, marketNotice } from './keyword-work.ts';

const stages: Stages = [
  ['enriching', 'Узнаю, как часто ищут ваши фразы... (3 сек)'],
  ['clustering', 'Группирую фразы по поисковому интенту... (10 сек)'],
];

/** Codes of errors that are about what was sent, and not about us. */
const aboutTheList = ['PHRASES_REFUSED', 'FILE_TOO_LARGE', 'WRONG_FILE'];

type Face = { head?: (slice: UploadSlice) => RichText; ways: Keyboard };

const ownHead = ({ upload: { category } }: UploadSlice): RichText =>
  rich`<b>Свои фразы</b> · ${category!.categoryName}`;

export const uploadQuestion =
  ({ head = ownHead, ways }: Face) =>
  (slice: UploadSlice): Screen => {
    const { failure } = slice;
    return {
      ...(failure && {
        complaint: lines(
          // The specification's sentence; what exactly is wrong follows it.
          aboutTheList.includes(failure.code) &&
            rich`Загрузите TXT-файл (UTF-8), одна фраза на строку. Макс. 500 фраз, 1 МБ`,
          trouble(failure),
        ),
      }),
      text: paragraphs(
        head(slice),
        lines(
          rich`Пришлите файл .txt в кодировке UTF-8: одна фраза на строке, каждая до 100 символов. До 500 фраз и 1 МБ.`,
          rich`Короткий список можно просто вставить сообщением.`,
        ),
        rich`Это бесплатно. Я узнаю, как часто их ищут, соберу в кластеры и добавлю к тем, что уже есть, без повторов.`,
      ),
      keyboard: ways,
    };
  };

/** `stage`: of a host whose states are the stages; otherwise the one that the work has reported. */
export const uploadingScreen = ({ upload, late }: UploadSlice, stage = upload.stage): Screen =>
  progressScreen(rich`<b>Разбираю ваши фразы</b> для категории «${upload.category!.categoryName}».`, stages, {
    stage,
    late,
  });

export const uploadGoesOn = ({ upload: { category } }: UploadSlice): RichText =>
  rich`Ваши фразы для категории «${category!.categoryName}» разбираются дальше: они сохранятся в категории, и я напишу сюда.`;

export const uploadedNotice = (uploaded: KeywordsUploaded): RichText =>
  lines(
    countsNotice(uploaded),
    // E03b.
    uploaded.source === 'file' &&
      rich`⚠ Данные без объёмов поиска: сервис статистики не ответил, поэтому фразы сохранены списком.`,
    // X17.
    uploaded.grouping === 'category' &&
      rich`⚠ Нейросеть не ответила, поэтому все фразы собраны в один кластер.`,
    uploaded.encoding === 'windows-1251' && rich`Файл был в кодировке Windows-1251: прочитал и так.`,
    marketNotice(uploaded),
  );
