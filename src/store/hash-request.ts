import { hash } from 'node:crypto';
import type { Json } from '../engine/json.ts';

/** The same person asking for the same thing has the same hash, in whatever order the fields were written. */
export function hashRequest(userId: number, request: Json) {
  return hash('sha256', canonical({ userId, request }));
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
