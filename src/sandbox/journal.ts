import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** A value put under a key of a table; no value: the key is removed. */
type Change = [table: string, key: string, value?: unknown];

type Table<T> = {
  get(key: string | number): T | undefined;
  put(key: string | number, value: T): void;
  remove(key: string | number): void;
  values(): T[];
};

export type Journal = ReturnType<typeof openJournal>;

/**
 * Tables in memory, and with a file, on disk: one line per change, written before the call returns, so that a
 * killed process finds everything it has said. No fsync: it outlives the process, not a power cut.
 */
export function openJournal(file?: string) {
  const tables = new Map<string, Map<string, unknown>>();
  let together: Change[] | null = null;
  let descriptor = file === undefined ? null : openFile(file);
  return { table, atOnce, close };

  /** Values are read and stored as a whole: change a copy, then store it again. */
  function table<T>(name: string): Table<T> {
    const rows = rowsOf(name) as Map<string, T>;
    return {
      get: (key) => rows.get(String(key)),
      put: (key, value) => record([name, String(key), value]),
      remove: (key) => {
        if (rows.has(String(key))) record([name, String(key)]);
      },
      values: () => [...rows.values()],
    };
  }

  /** What `change` does becomes one line: after a crash all of it is there, or nothing. */
  function atOnce<T>(change: () => T): T {
    if (together) return change();
    together = [];
    try {
      return change();
    } finally {
      const changes = together;
      together = null;
      write(changes);
    }
  }

  /** Entries after that are dropped. */
  function close(): void {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  }

  function record(change: Change): void {
    apply(change);
    if (together) together.push(change);
    else write([change]);
  }

  function write(changes: Change[]): void {
    if (descriptor !== null && changes.length > 0) writeSync(descriptor, `${JSON.stringify(changes)}\n`);
  }

  function apply([name, key, value]: Change): void {
    if (value === undefined) rowsOf(name).delete(key);
    else rowsOf(name).set(key, value);
  }

  function rowsOf(name: string): Map<string, unknown> {
    const rows = tables.get(name) ?? new Map<string, unknown>();
    tables.set(name, rows);
    return rows;
  }

  function openFile(path: string): number {
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path)) for (const line of readFileSync(path, 'utf8').split('\n')) replay(line);
    const lines = [...tables].map(([name, rows]) =>
      JSON.stringify([...rows].map(([key, value]) => [name, key, value])),
    );
    writeFileSync(`${path}.new`, lines.map((line) => `${line}\n`).join(''));
    renameSync(`${path}.new`, path);
    return openSync(path, 'a');
  }

  function replay(line: string): void {
    let changes: Change[];
    try {
      changes = JSON.parse(line);
    } catch {
      return; // empty, or torn by the end of the process that wrote it: that change never happened
    }
    for (const change of changes) apply(change);
  }
}
