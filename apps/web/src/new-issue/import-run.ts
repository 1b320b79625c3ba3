import type { SluiceClient } from '@sluice/client';
import { errorText } from '../session/error-text.ts';
import { newIdempotencyKey } from '../session/idempotency-key.ts';

/** How far the import of one issue is. */
export type ImportState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'imported'; readonly issueId: string }
  /** `issueId`: it was imported, but could not be started. */
  | { readonly kind: 'failed'; readonly reason: string; readonly issueId: string | null };

interface ImportRun {
  readonly client: Pick<SluiceClient, 'issues'>;
  readonly repoId: string;
  readonly starts: boolean;
  /** The idempotency keys of earlier runs by number: an import that got no answer is not done twice. */
  readonly keys: Map<number, string>;
  readonly onState: (number: number, state: ImportState) => void;
  readonly signal: AbortSignal;
}

/**
 * Imports issues one after the other and starts them. All may wait for the repository, which has one issue in progress at a
 * time. One that fails does not stop the others.
 */
export async function importIssues(numbers: readonly number[], run: ImportRun): Promise<void> {
  for (const number of numbers) run.onState(number, { kind: 'waiting' });
  for (const number of numbers) {
    if (run.signal.aborted) return;
    run.onState(number, { kind: 'running' });
    run.onState(number, await importOne(number, run));
  }
}

async function importOne(number: number, { client, repoId, starts, keys, signal }: ImportRun): Promise<ImportState> {
  const key = keys.get(number) ?? newIdempotencyKey();
  keys.set(number, key);
  let issueId: string | null = null;
  try {
    issueId = (await client.issues.import.mutate({ repo_id: repoId, number }, { idempotencyKey: key, signal })).id;
    if (starts) await client.issues.run.mutate({ id: issueId, queue: true }, { signal });
    return { kind: 'imported', issueId };
  } catch (error) {
    return { kind: 'failed', reason: errorText(error), issueId };
  }
}
