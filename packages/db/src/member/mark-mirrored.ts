import type { ChangedSubject, NewRepo } from '@sluice/core';
import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm';
import { markSubjects } from '../issue/mark-subjects.ts';
import type { Write } from '../store/store-context.ts';

const PROVIDER = 'codehost' satisfies NewRepo['provider'];

function membersOf(codehostRepoId: string): ChangedSubject {
  return { codehostRepoId, kind: 'members', number: 0 };
}

/** Marks the members of a repository of the code host, which the sync brings up to date by its settings. */
export async function markMembers(
  write: Write,
  { provider, codehostRepoId }: Pick<NewRepo, 'provider' | 'codehostRepoId'>,
): Promise<void> {
  if (provider === PROVIDER && codehostRepoId !== null) await markSubjects(write, [membersOf(codehostRepoId)]);
}

/**
 * Marks the members of every repository that mirrors them.
 *
 * @param since leaves out those that were marked since then
 */
export async function markMirrored(write: Write, since: Date | null): Promise<void> {
  const { context, db } = write;
  const { repos, codehostInbox: inbox } = context.database.tables;
  const rows = await db
    .select({ codehostRepoId: repos.codehostRepoId, settings: repos.settings })
    .from(repos)
    .where(and(eq(repos.provider, PROVIDER), isNotNull(repos.codehostRepoId), isNull(repos.removedAt)));
  const recent = new Set<string>();
  if (since !== null) {
    const marked = await db
      .select({ codehostRepoId: inbox.codehostRepoId })
      .from(inbox)
      .where(and(eq(inbox.kind, 'members'), gt(inbox.markedAt, since)));
    for (const { codehostRepoId } of marked) recent.add(codehostRepoId);
  }
  const due = rows.flatMap(({ codehostRepoId, settings }) =>
    codehostRepoId !== null && settings.mirror_members && !recent.has(codehostRepoId)
      ? [membersOf(codehostRepoId)]
      : [],
  );
  if (due.length > 0) await markSubjects(write, due);
}
