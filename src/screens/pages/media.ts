import { hash } from 'node:crypto';
import { plural } from '../../russian.ts';
import { deletionScreen } from '../kit/deletion.ts';
import { to } from '../kit/link.ts';
import {
  type Button,
  button,
  lines,
  type Picture,
  paragraphs,
  type RichText,
  rich,
  type Screen,
} from '../kit/screen.ts';
import { toCategory } from './publishing.ts';

export type Gallery = {
  categoryId: number;
  categoryName: string;
  photos: readonly { path: string; caption: string }[];
};
export type PhotosAdded = {
  added: number;
  known: number;
  refused: readonly { name: string; why: string }[];
  photos: number;
};

export const MOST_PHOTOS = 20;

/** What a button is about: another photo may have taken the place of the one that was shown. */
export const photoMark = (path: string): string => hash('sha1', path, 'hex').slice(0, 8);

export function galleryScreen({ categoryId: cid, categoryName, photos }: Gallery): Screen {
  return {
    text: paragraphs(
      rich`<b>Ваши фото</b> · ${categoryName}`,
      rich`${photos.length}/${MOST_PHOTOS}.${photos.length === 0 && ' Пока ничего нет.'}`,
      rich`Свои фото можно поставить в статью вместо нарисованных: они бесплатны, подписи к ним напишет нейросеть. А ещё по ним рисуются картинки в похожей манере.`,
    ),
    keyboard: [
      ...(photos.length < MOST_PHOTOS
        ? [[button('Загрузить', to('media:{cid}:upload', { cid }), 'primary')]]
        : []),
      ...(photos.length > 0
        ? [
            [
              button('Показать', to('media:{cid}:show', { cid })),
              button('Удалить №…', to('media:{cid}:del', { cid })),
            ],
            [button('Очистить', to('media:{cid}:clear', { cid }), 'danger')],
          ]
        : []),
      [toCategory(cid)],
    ],
  };
}

/** The album with its numbers, which «Удалить №…» names. */
export function albumScreen(gallery: Gallery, bytes: readonly (Uint8Array | null)[]): Screen {
  const { categoryId: cid, photos } = gallery;
  const album = photos.flatMap(({ caption }, i): Picture[] => {
    const content = bytes[i];
    if (!content) return [];
    return [
      { bytes: content, name: `photo-${i + 1}.jpg`, caption: rich`№${i + 1}${caption && ` · ${caption}`}` },
    ];
  });
  const lost = photos.length - album.length;
  return {
    ...(album.length > 1 && { album }),
    ...(album.length === 1 && { photo: album[0] }),
    text: paragraphs(
      rich`<b>Ваши фото</b> · ${gallery.categoryName}`,
      rich`${plural(album.length, 'фотография', 'фотографии', 'фотографий')}${album.length > 1 && ', номера — в подписях'}.`,
      lost > 0 && rich`Ещё ${plural(lost, 'фото', 'фото', 'фото')} не открылось: удалите и загрузите заново.`,
    ),
    keyboard: [
      [button('Удалить №…', to('media:{cid}:del', { cid }))],
      [button('Назад', to('category:{cid}:media', { cid }))],
    ],
  };
}

const PER_ROW = 5;

export function removalScreen({ categoryId: cid, categoryName, photos }: Gallery): Screen {
  const buttons = photos.map(({ path }, i) =>
    button(`№${i + 1}`, to('media:{cid}:rm:{k}:{h}', { cid, k: i, h: photoMark(path) })),
  );
  const rows: Button[][] = [];
  for (let i = 0; i < buttons.length; i += PER_ROW) rows.push(buttons.slice(i, i + PER_ROW));
  return {
    text: paragraphs(
      rich`<b>Удалить фото</b> · ${categoryName}`,
      photos.length > 0 ? rich`Какое? Номера — как в «Показать».` : rich`Удалять нечего.`,
    ),
    keyboard: [...rows, [button('Готово', to('category:{cid}:media', { cid }))]],
  };
}

export function removePhotoScreen(gallery: Gallery, k: number, bytes: Uint8Array | null): Screen {
  const { categoryId: cid } = gallery;
  const { path } = gallery.photos[k]!;
  return {
    ...(bytes && { photo: { bytes, name: `photo-${k + 1}.jpg` } }),
    text: rich`Удалить фото №${k + 1}? В уже опубликованных статьях оно останется.`,
    keyboard: [
      [button('Да, удалить', to('media:{cid}:rm:{k}:yes:{h}', { cid, k, h: photoMark(path) }), 'danger')],
      [button('Отмена', to('media:{cid}:del', { cid }))],
    ],
  };
}

export function clearGalleryScreen({ categoryId: cid, categoryName, photos }: Gallery): Screen {
  return deletionScreen({
    question: rich`Удалить все фото категории <b>${categoryName}</b>?`,
    head: rich`Исчезнут:`,
    losses: [[photos.length, 'фотография', 'фотографии', 'фотографий']],
    draftTokens: 0,
    what: photos.map(({ path }) => path),
    confirm: (h) => to('media:{cid}:clear:yes:{h}', { cid, h }),
    back: to('category:{cid}:media', { cid }),
  });
}

export const uploadScreen = ({ categoryName, photos }: Gallery): Screen => ({
  text: paragraphs(
    rich`<b>Загрузка фото</b> · ${categoryName}`,
    rich`Пришлите фото или файлы с картинками, можно несколько сразу: JPEG, PNG или WebP до 20 МБ. Сейчас ${photos.length}/${MOST_PHOTOS}.`,
    rich`<i>Подпишите, что на них: нейросети будет проще поставить их к месту.</i>`,
  ),
  keyboard: [],
});

export const uploadDone = (cid: number): Button => button('Готово', to('category:{cid}:media', { cid }));

/** One counter for the whole album. */
export const addedNotice = ({ added, known, refused, photos }: PhotosAdded): RichText =>
  lines(
    added > 0 && rich`✓ Добавлено: ${plural(added, 'фото', 'фото', 'фото')}. Всего ${photos}/${MOST_PHOTOS}.`,
    known > 0 && rich`Уже есть в категории: ${known}.`,
    ...refused.slice(0, 5).map(({ name, why }) => rich`✕ ${name}: ${why}`),
    refused.length > 5 && rich`✕ И ещё ${refused.length - 5}.`,
  );

export const mediaNotices = {
  removed: (n: number): RichText => rich`Фото №${n} удалено.`,
  cleared: rich`Фото удалены.`,
  changed: rich`Фото с этим номером уже другое, посмотрите ещё раз.`,
};
