import type { ChangedBranches, ChangedSubject } from '@sluice/core/code-host';
import { and, eq, gte, inArray, isNotNull, or } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

const REVERTED_WITHIN_MS = 30 * 24 * 60 * 60 * 1_000; // a change that is in a release for a month is not taken back, but changed

/**
 * The open pull requests from or into these branches that issues were published to. The branch of an issue is in its
 * documents, so those of one repository are looked through: a repository has tens of open ones at most. Where something was
 * taken back, those too that were merged lately: it may be one of them.
 */
export async function changesOfBranches(
  { context, db, now }: Write,
  { codehostRepoId, branches, reverts = false }: ChangedBranches,
): Promise<ChangedSubject[]> {
  const { issues, repos, changeRequests: of } = context.database.tables;
  const isOpen = inArray(issues.changeRequestState, ['draft', 'open']);
  const isRecent = gte(of.mergedAt, new Date(now.getTime() - REVERTED_WITHIN_MS));
  const found = await db
    .select({
      number: issues.changeRequestNumber,
      base: issues.baseBranch,
      pipeline: issues.pipeline,
      result: issues.result,
    })
    .from(issues)
    .innerJoin(repos, eq(repos.id, issues.repoId))
    .leftJoin(of, and(eq(of.repoId, issues.repoId), eq(of.number, issues.changeRequestNumber)))
    .where(
      and(
        eq(repos.codehostRepoId, codehostRepoId),
        isNotNull(issues.changeRequestNumber),
        reverts ? or(isOpen, isRecent) : isOpen,
      ),
    );
  return found.flatMap(({ number, base, pipeline, result }) => {
    const ends = [base, pipeline.branch, result?.branch];
    if (number === null || !branches.some((branch) => ends.includes(branch))) return [];
    return [{ codehostRepoId, kind: 'change_request' as const, number }];
  });
}
