import type { HostedIssue } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { importIssue } from '@sluice/core/hosted-issue';
import type { Issue } from '@sluice/core/issue';
import { hostedName, type Repo } from '@sluice/core/repo';
import { runWhenFree, waitsToRun } from './run-when-free.ts';
import { currentRegistration, type RegisteredSubject, type SyncContext, type SyncEnd } from './sync-context.ts';

/**
 * Syncs an issue at the code host: with the label of this registration it is imported, once, and run, once, if the
 * registration says so. An issue that was deleted here is not imported again, except by hand. The host is only asked when its
 * answer can make a difference.
 */
export async function syncIssue(
  work: SyncContext,
  { repo, number }: RegisteredSubject,
  signal: AbortSignal,
): Promise<SyncEnd> {
  const trigger = triggerOf(repo);
  if (trigger === null) return 'done';
  const there = await imported(work, repo, number);
  if (there === null && (await work.deps.codehostIndex.wasRemoved(repo.id, { number }))) return 'done';
  if (there !== null && !(repo.settings.auto_run && waitsToRun(there))) return 'done';
  const name = hostedName(work.host, await currentRegistration(work, repo, signal));
  const hosted = await work.tokens.callAsUser(repo.userId, signal, (call) => work.host.issue(call, name, number));
  if (!asksForImport(hosted, trigger)) return 'done';
  const issue = there ?? (await importOnce(work, { repo, number }, signal));
  return issue !== null && repo.settings.auto_run ? await runWhenFree(work, issue) : 'done';
}

/** Null: this registration has no label. */
function triggerOf({ settings }: Repo): string | null {
  const label = settings.label_trigger?.trim() ?? '';
  return label === '' ? null : label;
}

/** The host compares labels without case. */
function asksForImport({ open, labels }: HostedIssue, trigger: string): boolean {
  return open && labels.some((label) => label.toLowerCase() === trigger.toLowerCase());
}

async function imported({ deps }: SyncContext, repo: Repo, number: number): Promise<Issue | null> {
  const id = (await deps.codehostIndex.imported(repo.id, [number])).get(number);
  return id === undefined ? null : await deps.issues.get(id);
}

async function importOnce(
  work: SyncContext,
  { repo, number }: RegisteredSubject,
  signal: AbortSignal,
): Promise<Issue | null> {
  const context = { ...work.deps, codehost: { host: work.host }, codehostTokens: work.tokens };
  try {
    return await importIssue(context, repo, { number, signal, by: 'service' });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'issue_imported') throw error;
    return await imported(work, repo, number); // another process was faster
  }
}
