import type { MaterialSlice } from '../../../machines/fragments/pipeline-material.ts';
import type { StepsSlice } from '../../../machines/fragments/pipeline-steps.ts';
import { tokens } from '../../russian.ts';
import { press } from '../kit/flow-screens.ts';
import { to } from '../kit/link.ts';
import { refusal, trouble } from '../kit/money.ts';
import {
  type Button,
  button,
  type Keyboard,
  lines,
  paragraphs,
  type RichText,
  rich,
  type Screen,
} from '../kit/screen.ts';
import { menuButton } from '../kit/system.ts';
import { descriptionGoesOn, descriptionPresses, descriptionScreens } from './description-work.ts';
import { keywordPresses, keywordQuestionScreens } from './keyword-questions.ts';
import { uploadedNotice, uploadGoesOn, uploadingScreen, uploadQuestion } from './keyword-upload.ts';
import { foundNotice, searchGoesOn, searchingScreen } from './keyword-work.ts';
import { exitScreen, type Gone, goneNotices } from './pipeline-choices.ts';

type Slice = StepsSlice & MaterialSlice & { gone: Gone | null };

/** One more line of the checklist, with the button that fills it in. */
export type Item = { line: RichText; key: Button };

type Face<Host extends Slice> = {
  /** So many phrases are sought without asking. */
  automatic: number;
  head: (slice: Host) => RichText;
  /** Phrases are the only condition. `unsuitable`: there are some, and none of them will do. */
  isReady: (slice: Host) => boolean;
  words: { ready: RichText; missing: RichText; unsuitable: RichText };
  /** What was just done beyond the fragment's own steps. */
  done?: (slice: Host) => RichText | null | false;
  items?: (slice: Host) => readonly Item[];
  /** The last row. */
  ways: readonly Button[];
};

const back: Keyboard = [[button('К чеклисту', to('fsm:cancel'))]];

/** Step 4 of a pipeline: the checklist, and what is filled in from there. */
export function readinessScreens<Host extends Slice>(face: Face<Host>) {
  const phrases = keywordQuestionScreens({ ways: back });
  const description = descriptionScreens({
    ...{ atCost: back, atReview: back },
    instead: rich`Или напишите его сами: пришлите сообщением, от 10 до 2 000 символов.`,
  });
  return {
    readiness_check: (slice: Host) => checklist(slice, face),
    readiness_keywords_products: phrases.products,
    readiness_keywords_geo: phrases.geography,
    readiness_keywords_qty: phrases.quantity,
    readiness_keywords_generating: (slice: Host) => searchingScreen(slice),
    readiness_keywords_upload: uploadQuestion({ ways: back }),
    readiness_keywords_reading: (slice: Host) => uploadingScreen(slice),
    readiness_description: (slice: Host) => withComplaint(description.confirm(slice), slice),
    readiness_description_generating: description.generating,
    readiness_description_review: (slice: Host) => withComplaint(description.review(slice), slice),
    readiness_description_regenerating: description.regenerating,
    readiness_description_saving: description.saving,
  };
}

/** Own words that are no description are answered above the question. */
const withComplaint = (screen: Screen, { misfit }: Slice): Screen =>
  misfit === null ? screen : { ...screen, complaint: rich`Опишите категорию: от 10 до 2 000 символов.` };

function checklist<Host extends Slice>(slice: Host, face: Face<Host>): Screen {
  const { readiness, keywords, failure, gone } = slice;
  if (slice.leaving) return exitScreen('чеклист');
  const isReady = face.isReady(slice);
  const price = face.automatic * (keywords.offer?.pricePerPhrase ?? 0);
  const items = face.items?.(slice) ?? [];
  return {
    text: paragraphs(
      gone && goneNotices[gone],
      failure && (failure.refunded > 0 ? trouble(failure) : refusal(failure)),
      !failure && (face.done?.(slice) || justDone(slice)),
      face.head(slice),
      lines(
        isReady
          ? rich`✓ ${face.words.ready}`
          : rich`✗ ${readiness && readiness.phrases > 0 ? face.words.unsuitable : face.words.missing}`,
        readiness?.hasDescription
          ? rich`✓ Описание категории`
          : rich`· Описание категории: с ним тексты точнее, но можно и без него.`,
        ...items.map(({ line }) => line),
      ),
      !isReady &&
        rich`Подберу ${face.automatic} фраз за ${tokens(price)}: если найдётся меньше, остаток вернётся. На балансе ${tokens(keywords.offer?.balance ?? 0)}.`,
    ),
    keyboard: [
      ...(isReady ? [[button('Дальше', to('pipe:ready'), 'success')]] : phraseKeys(slice, price)),
      ...(readiness?.hasDescription ? [] : [[button('Добавить описание', to('pipe:description'))]]),
      ...items.map(({ key }) => [key]),
      [...face.ways],
    ],
  };
}

const phraseKeys = ({ failure, keywords }: Slice, price: number): Keyboard => [
  ...(failure?.code === 'OUT_OF_TOKENS' ? [[button('Пополнить', to('nav:tariffs'))]] : []),
  ...(failure?.retryable && keywords.quantity !== null
    ? [[button('Повторить подбор', to('pipe:phrases:again'))]]
    : []),
  [button(`Подобрать фразы (${price})`, to('pipe:phrases:auto'), 'success')],
  [button('Настроить подбор', to('pipe:phrases:own')), button('Загрузить свои', to('pipe:phrases:file'))],
];

function justDone({ keywords: { found }, upload: { uploaded }, isAdmin }: Slice): RichText | null {
  if (uploaded) return uploadedNotice(uploaded);
  return found && foundNotice(found, isAdmin);
}

/** What a person who leaves while it works is told. */
export const readinessRemains = {
  readiness_keywords_generating: searchGoesOn,
  readiness_keywords_reading: uploadGoesOn,
  readiness_description_generating: descriptionGoesOn,
  readiness_description_regenerating: descriptionGoesOn,
};

/** And when the work has ended without them. The pipeline waits where it stood. */
export const readinessBehind = {
  readiness_check: (slice: Slice) =>
    endedBehind(
      slice.failure
        ? rich`Подобрать фразы для «${slice.categoryName}» не получилось.`
        : rich`<b>«${slice.categoryName}»: готово.</b>`,
      slice.failure ? trouble(slice.failure) : justDone(slice),
    ),
  readiness_keywords_upload: ({ categoryName, failure }: Slice) =>
    endedBehind(rich`Фразы для «${categoryName}» не загрузились.`, failure && trouble(failure)),
  readiness_description: ({ categoryName, failure }: Slice) =>
    endedBehind(rich`Описание категории «${categoryName}» не получилось.`, failure && trouble(failure)),
  readiness_description_review: ({ categoryName, description }: Slice) =>
    endedBehind(rich`<b>Описание готово</b> · ${categoryName}`, rich`${description.written!.text}`),
};

export const endedBehind = (title: RichText, more: RichText | null): Screen => ({
  text: paragraphs(title, more),
  keyboard: [[button('Продолжить', to('pipeline:resume'), 'primary')], [menuButton]],
});

export const readinessPresses = [
  ...keywordPresses,
  ...descriptionPresses,
  press('pipe:phrases:file', () => ({ type: 'phrases.sent' })),
  press('pipe:description', () => ({ type: 'description.wanted' })),
] as const;
