import type { ChangedSubject } from '@sluice/core/code-host';
import type { NewRepo } from '@sluice/core/repo';
import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import { inChunks } from '../event/append-events.ts';
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
  const { repos } = context.database.tables;
  const rows = await db
    .select({ codehostRepoId: repos.codehostRepoId, settings: repos.settings })
    .from(repos)
    // Not `is not null`, which would read all repositories: see `repos_of_codehost_repo`.
    .where(and(gt(repos.codehostRepoId, ''), eq(repos.provider, PROVIDER), isNull(repos.removedAt)));
  const mirrored = rows.flatMap(({ codehostRepoId, settings }) =>
    codehostRepoId !== null && settings.mirror_members ? [codehostRepoId] : [],
  );
  const recent = since === null ? new Set<string>() : await markedSince(write, mirrored, since);
  const due = mirrored.filter((codehostRepoId) => !recent.has(codehostRepoId)).map(membersOf);
  if (due.length > 0) await markSubjects(write, due);
}

async function markedSince(
  { context, db }: Write,
  codehostRepoIds: readonly string[],
  since: Date,
): Promise<Set<string>> {
  const { codehostInbox: inbox } = context.database.tables;
  const found = new Set<string>();
  for (const some of inChunks(codehostRepoIds)) {
    const marked = await db
      .select({ codehostRepoId: inbox.codehostRepoId })
      .from(inbox)
      .where(and(inArray(inbox.codehostRepoId, some), eq(inbox.kind, 'members'), gt(inbox.markedAt, since)));
    for (const { codehostRepoId } of marked) found.add(codehostRepoId);
  }
  return found;
}
