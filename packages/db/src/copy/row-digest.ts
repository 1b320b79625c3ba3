import { createHash } from 'node:crypto';
import { storedText } from '../schema/stored-text.ts';

const MODULUS = 1n << 256n;

/** The number of rows and an order-independent hash of them, because the engines sort text differently. */
export interface TableDigest {
  readonly rows: number;
  /** SHA-256 of each row's canonical JSON, added up; in hexadecimal. */
  readonly hash: string;
}

/** Counts and hashes rows of either engine. */
export function createDigest(): { add(row: object): void; end(): TableDigest } {
  let rows = 0;
  let sum = 0n;
  return {
    add: (row) => {
      rows += 1;
      sum = (sum + BigInt(`0x${createHash('sha256').update(canonicalJson(row)).digest('hex')}`)) % MODULUS;
    },
    end: () => ({ rows, hash: sum.toString(16).padStart(64, '0') }),
  };
}

/**
 * Canonical JSON: keys sorted, instants in UTC, bytes in base64, text cleaned as in both engines. `jsonb` reorders
 * keys.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(storedText(value));
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).map(([key, member]) => [storedText(key), member] as const);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}
