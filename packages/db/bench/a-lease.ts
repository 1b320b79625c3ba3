import type { Lease } from '@sluice/core/issue';
import { claimed, runningIssue } from '@sluice/testing';
import type { Stores } from '../src/index.ts';

const LONG_MS = 3_600_000; // longer than any benchmark

/** The lease of a running issue with a separate repository. */
export async function aLease(stores: Stores): Promise<Lease> {
  return await claimed(stores, (await runningIssue(stores)).id, LONG_MS);
}
