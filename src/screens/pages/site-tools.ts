import { prices } from '../../prices.ts';
import { date } from '../../russian.ts';
import {
  type AuditFigures,
  auditScores,
  auditVitals,
  type Band,
  bandOf,
  scoreBand,
  vitals,
  vitalText,
} from '../../web-vitals.ts';
import { addedText, gapsLabel } from '../flows/competitor-analysis.ts';
import { hostOf, reportFile, reportText } from '../kit/competitor-report.ts';
import { to } from '../kit/link.ts';
import { type Page, pagerRows } from '../kit/pager.ts';
import { type Button, button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { toProject } from './projects.ts';

export type AuditPage = {
  projectId: number;
  projectName: string;
  timezone: string;
  /** What would be audited; null: no site is known. */
  url: string | null;
  /** How many competitors were analysed. */
  analyses: number;
  audit: {
    url: string;
    at: string;
    figures: AuditFigures;
    recommendations: readonly { title: string }[];
    previous: { at: string; figures: AuditFigures } | null;
  } | null;
  /** The audit drawn; null: there is none, or drawing it failed. */
  picture: Uint8Array | null;
};
export type AnalysisItem = { id: number; url: string; at: Date };
export type PastAnalysis = {
  id: number;
  projectId: number;
  projectName: string;
  url: string;
  at: Date;
  timezone: string;
  positioning: string;
  strengths: string[];
  gaps: string[];
  recommendations: string[];
  categories: { id: number; name: string }[];
};

const MOST_ADVICE = 5;
const MOST_ADVICE_CHARS = 90;
const signs: Record<Band, string> = { good: '🟢', fair: '🟡', poor: '🔴' };

/** Where no site is known. */
export const toSiteAddress = (pid: number): Button =>
  button('Указать сайт', to('project:{pid}:edit:{field}', { pid, field: 'website_url' }), 'primary');

export function auditScreen(page: AuditPage): Screen {
  const { projectId: pid, url, audit, picture, analyses } = page;
  const run = audit ? `Проверить снова (${prices.audit})` : `Запустить (${prices.audit})`;
  return {
    ...(picture && { photo: { bytes: picture, name: 'audit.png' } }),
    text: audit ? auditText(page, audit) : introduction(page),
    keyboard: [
      url === null
        ? [toSiteAddress(pid)]
        : [button(run, to('project:{pid}:audit:run', { pid }), ...(audit ? [] : (['primary'] as const)))],
      [button(`Анализ конкурента (${prices.competitorAnalysis})`, to('project:{pid}:competitor', { pid }))],
      ...(analyses > 0 ? [[button('Прошлые анализы', to('project:{pid}:rivals', { pid }))]] : []),
      [button('Цвета и шрифты сайта', to('project:{pid}:branding', { pid }))],
      [button('Написать статью', to('pipeline:article:project:{pid}', { pid }))],
      [toProject(pid)],
    ],
  };
}

const introduction = ({ projectName, url }: AuditPage): RichText =>
  paragraphs(
    rich`<b>Анализ сайта</b> · ${projectName}`,
    rich`Google открывает сайт с телефона и измеряет: скорость, SEO, доступность, качество кода. Я покажу оценки, тайминги и советы — с самого важного.`,
    url === null
      ? rich`Сайт у проекта пока не указан.`
      : rich`Сайт: ${url}. Он ещё не проверялся: аудит занимает до минуты.`,
  );

function auditText(
  { timezone }: AuditPage,
  { url, at, figures, recommendations, previous }: NonNullable<AuditPage['audit']>,
): RichText {
  const day = (moment: string) => date(new Date(moment), timezone);
  const measured = auditVitals.filter(({ key }) => figures[key] !== null);
  return paragraphs(
    rich`<b>${hostOf(url)}</b> · ${day(at)}${previous && rich` · прошлый аудит ${day(previous.at)}`}`,
    lines(
      ...auditScores.map(({ key, label }) => {
        const score = figures[key];
        return score === null
          ? rich`⚪ ${label}: нет данных`
          : rich`${signs[scoreBand(score)]} ${label}: ${score}/100${changeOf(previous?.figures[key] ?? null, score)}`;
      }),
    ),
    measured.length > 0
      ? lines(
          ...measured.map(({ name, key }) => {
            const value = figures[key]!;
            return rich`${signs[bandOf(name, value)]} ${vitals[name].label} (${vitals[name].short}): ${vitalText(name, value)}`;
          }),
        )
      : rich`Скорость у живых посетителей Google не показал: их пока мало.`,
    recommendations.length > 0 &&
      lines(
        rich`<b>Что поправить сначала</b>`,
        ...recommendations
          .slice(0, MOST_ADVICE)
          .map(({ title }, i) => rich`${i + 1}. ${[...title].slice(0, MOST_ADVICE_CHARS).join('')}`),
      ),
  );
}

const changeOf = (before: number | null, now: number): string | null =>
  before === null || before === now ? null : now > before ? ` (+${now - before})` : ` (−${before - now})`;

export function rivalsScreen(
  pid: number,
  { projectName, timezone }: { projectName: string; timezone: string },
  page: Page<AnalysisItem>,
): Screen {
  const again = button(
    `Новый анализ (${prices.competitorAnalysis})`,
    to('project:{pid}:competitor', { pid }),
  );
  return {
    text: paragraphs(
      rich`<b>Прошлые анализы</b> · ${projectName}`,
      page.count === 0
        ? rich`Конкурентов пока не разбирали.`
        : rich`Хранятся последние двадцать. Темы, о которых конкурент молчит, можно добавить во фразы.`,
    ),
    keyboard: [
      ...page.items.map(({ id, url, at }) => [
        button(`${hostOf(url).slice(0, 45)} · ${date(at, timezone)}`, to('rival:{n}:card', { n: id })),
      ]),
      ...pagerRows(page, (n) => to('page:rivals:{pid}:{n}', { pid, n })),
      [again],
      [button('Назад', to('project:{pid}:audit', { pid }))],
    ],
  };
}

export function rivalScreen(analysis: PastAnalysis, withFile = false): Screen {
  const { id: n, projectId: pid, gaps, categories } = analysis;
  return {
    text: paragraphs(
      reportText(analysis),
      rich`<i>${analysis.projectName}, ${date(analysis.at, analysis.timezone)}</i>`,
    ),
    keyboard: [
      ...(gaps.length > 0 ? categories.slice(0, 5) : []).map(({ id, name }) => [
        button(gapsLabel(analysis, name), to('rival:{n}:gaps:{cid}', { n, cid: id })),
      ]),
      ...(withFile ? [] : [[button('Скачать файлом', to('rival:{n}:file', { n }))]]),
      [button('Прошлые анализы', to('project:{pid}:rivals', { pid }))],
      [toProject(pid)],
    ],
    ...(withFile && { file: reportFile(analysis) }),
  };
}

export const addingGaps = rich`Узнаю, как часто ищут эти фразы, и добавляю их в категорию…`;

export const gapsNotice = (added: { added: number; categoryName: string }): RichText =>
  rich`✓ ${addedText(added)}`;
