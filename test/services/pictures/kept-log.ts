import { pino } from 'pino';

/** A log whose lines a test can read. */
export function keptLog() {
  const lines: Record<string, unknown>[] = [];
  const levels = { level: (label: string) => ({ level: label }) };
  const log = pino(
    { level: 'debug', formatters: levels },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  return { log, lines };
}
