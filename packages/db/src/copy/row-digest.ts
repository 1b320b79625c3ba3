import { createHash } from 'node:crypto';
import { canonicalJson } from '@sluice/core/text';

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
