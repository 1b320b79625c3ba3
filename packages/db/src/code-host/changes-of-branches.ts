import type { ChangedBranches, ChangedSubject } from '@sluice/core';
import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

/**
 * The open pull requests from or into these branches that issues were published to. The branch of an issue is in its
 * documents, so those of one repository are looked through: a repository has tens of open ones at most.
 */
export async function changesOfBranches(
  { context, db }: Write,
  { codehostRepoId, branches }: ChangedBranches,
): Promise<ChangedSubject[]> {
  const { issues, repos } = context.database.tables;
  const open = await db
    .select({
      number: issues.changeRequestNumber,
      base: issues.baseBranch,
      pipeline: issues.pipeline,
      result: issues.result,
    })
    .from(issues)
    .innerJoin(repos, eq(repos.id, issues.repoId))
    .where(
      and(
        eq(repos.codehostRepoId, codehostRepoId),
        isNotNull(issues.changeRequestNumber),
        inArray(issues.changeRequestState, ['draft', 'open']),
      ),
    );
  return open.flatMap(({ number, base, pipeline, result }) => {
    const ends = [base, pipeline.branch, result?.branch];
    if (number === null || !branches.some((branch) => ends.includes(branch))) return [];
    return [{ codehostRepoId, kind: 'change_request' as const, number }];
  });
}
