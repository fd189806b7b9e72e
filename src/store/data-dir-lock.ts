import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Two processes on one embedded database would destroy it, and PGlite itself does not look. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
  constructor(path: string, pid: number) {
    super(
      `Another process (pid ${pid}) is using this data directory: ${dirname(path)}. ` +
        'Stop it, or set DATA_DIR or DATABASE_URL to give this one its own database.',
    );
  }
}

type Owner = { pid: number; born: string | null };

/** Takes the lock file or throws `DataDirInUse`. A file left by a dead process is reclaimed. */
export function lockDataDir(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, born: bornAt(process.pid) } satisfies Owner);
  while (!create(path, mine)) {
    const found = readIfThere(path);
    if (found === null) continue;
    const owner = parseOwner(found);
    if (owner && isAlive(owner)) throw new DataDirInUse(path, owner.pid);
    removeDead(path, found);
  }
  return () => rmSync(path, { force: true });
}

/** Linked into place complete: a file that is still being written would look like one cut off by a crash. */
function create(path: string, content: string) {
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

/**
 * Moved aside before it is removed: of two processes that found the same dead file only one moves it, and one
 * that moved a newer file instead notices and puts it back.
 */
function removeDead(path: string, expected: string) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if (readFileSync(aside, 'utf8') !== expected) linkSync(aside, path);
  rmSync(aside);
}

function readIfThere(path: string) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Null for a file that was cut off while its writer died. */
function parseOwner(text: string): Owner | null {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return null;
  }
}

function isAlive({ pid, born }: Owner) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false; // EPERM: alive, and somebody else's
  }
  return born === null || born === bornAt(pid);
}

/**
 * A process id alone says little: in a container the new bot has the id of the one that was killed.
 * On Linux the moment of birth tells them apart; elsewhere null, and the id has to do.
 */
function bornAt(pid: number) {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name may hold spaces and brackets; start time is the 20th field behind it.
    return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return null;
  }
}

function hasCode(error: unknown, code: string) {
  return error instanceof Error && 'code' in error && error.code === code;
}
