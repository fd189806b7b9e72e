import { moscowTime, number, plural } from '../../russian.ts';
import { to } from '../kit/link.ts';
import { button, lines, paragraphs, type RichText, rich, type Screen } from '../kit/screen.ts';
import { type Service, serviceLine } from './admin.ts';

export type ProcessFacts = {
  id: string;
  role: string;
  version: string;
  memoryMb: number;
  busy: number;
  startedAt: Date;
  seenAt: Date;
  isAlive: boolean;
};

export type Monitor = {
  services: readonly Service[];
  processes: readonly ProcessFacts[];
  schedules: { on: number; waiting: number; lateSeconds: number; silent: number };
  jobs: number;
  unknown: number;
  errors: { errors: number; warnings: number };
};

export const logPeriods = [1, 7] as const;

const panelButton = button('К панели', to('admin:panel'));
const logButtons = [
  button('Ошибки за 24 часа', to('admin:logs:{n}', { n: 1 })),
  button('Ошибки за 7 дней', to('admin:logs:{n}', { n: 7 })),
];

export const monitorScreen = (monitor: Monitor): Screen => ({
  text: paragraphs(
    rich`<b>Мониторинг</b>`,
    lines(...monitor.services.map(serviceLine)),
    lines(rich`Процессы:`, ...monitor.processes.map(processLine)),
    lines(
      rich`Расписания включены: ${number(monitor.schedules.on)}, ждут запуска ${number(monitor.schedules.waiting)}${monitor.schedules.lateSeconds > 60 && `, опаздывают на ${plural(Math.round(monitor.schedules.lateSeconds / 60), 'минуту', 'минуты', 'минут')}`}`,
      monitor.schedules.silent > 0 &&
        rich`⚠️ Не вызваны вовремя: ${plural(monitor.schedules.silent, 'расписание', 'расписания', 'расписаний')}`,
      rich`Работ выполняется: ${number(monitor.jobs)}`,
      rich`Публикаций с неизвестным исходом: ${number(monitor.unknown)}`,
      rich`За 24 часа: ${plural(monitor.errors.errors, 'ошибка', 'ошибки', 'ошибок')}, ${plural(monitor.errors.warnings, 'предупреждение', 'предупреждения', 'предупреждений')}`,
    ),
  ),
  keyboard: [[button('Обновить', to('admin:monitor'))], logButtons, [panelButton]],
});

const roles: Readonly<Record<string, string>> = { bot: 'бот', dispatcher: 'отправитель постов' };

function processLine({ role, version, memoryMb, busy, startedAt, seenAt, isAlive }: ProcessFacts): RichText {
  const name = roles[role] ?? role;
  if (!isAlive) return rich`✗ ${name} ${version}: пропал ${moscowTime(seenAt)}`;
  return rich`✓ ${name} ${version}: ${number(memoryMb)} МБ, ${busy === 0 ? 'свободен' : `занят: ${plural(busy, 'дело', 'дела', 'дел')}`}, работает с ${moscowTime(startedAt)}`;
}

export type ErrorLine = {
  at: Date;
  level: string;
  message: string;
  code: string | null;
  userId: number | null;
  correlation: string | null;
  stack: string | null;
  process: string;
};

export function errorFileScreen(days: number, errors: readonly ErrorLine[]): Screen {
  const period = days === 1 ? '24 часа' : plural(days, 'день', 'дня', 'дней');
  return {
    text: paragraphs(
      rich`<b>Журнал ошибок за ${period}</b>`,
      errors.length === 0
        ? rich`Ошибок и предупреждений не было.`
        : rich`${plural(errors.length, 'запись', 'записи', 'записей')}, новые сверху. Файл ниже.`,
    ),
    keyboard: [logButtons, [button('К мониторингу', to('admin:monitor')), panelButton]],
    ...(errors.length > 0 && {
      file: { name: `errors-${days}d.txt`, content: errors.map(entryText).join('\n') },
    }),
  };
}

function entryText({ at, level, message, code, userId, correlation, stack, process }: ErrorLine): string {
  const facts = [
    code && `code ${code}`,
    userId !== null && `user ${userId}`,
    correlation && `correlation ${correlation}`,
    `process ${process}`,
  ].filter(Boolean);
  const head = `${at.toISOString()} ${level.toUpperCase()} ${message} (${facts.join(', ')})`;
  return stack ? `${head}\n${stack.replace(/^/gmu, '    ')}\n` : head;
}
