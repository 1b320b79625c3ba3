import { issueOf, type Outside } from './outside.ts';
import { Violation } from './violation.ts';

/**
 * At most one branch, pull request and comment for each issue, deleted ones included. A second one is right only where its
 * request had left before the first one was there (a comment), or before a person was done with the first (a pull request):
 * a host cannot tell a late request from a new one.
 *
 * @throws Violation
 */
export function checkPublished({ pulls, comments, branches }: Outside): void {
  for (const [issueId, its] of Map.groupBy(branches(), (name) => issueOf(name.branch))) {
    if (its.length > 1)
      fail(
        issueId,
        'branches',
        its.map(({ repo, branch }) => `${repo} ${branch}`),
      );
  }
  for (const [issueId, [first, ...others]] of Map.groupBy(pulls, ({ headBranch }) => issueOf(headBranch))) {
    const isLate = (sentAt: number) => first?.endedAt !== undefined && sentAt <= first.endedAt;
    const again = others.filter(
      ({ repo, headBranch, sentAt }) => repo !== first?.repo || headBranch !== first.headBranch || !isLate(sentAt),
    );
    if (again.length > 0)
      fail(
        issueId,
        'pull requests',
        [first, ...again].map((pull) => `#${pull?.number}`),
      );
  }
  for (const [issueId, [first, ...others]] of Map.groupBy(comments, (comment) => comment.issueId)) {
    const again = others.filter(({ lookedAtStep }) => first !== undefined && lookedAtStep > first.madeAtStep);
    if (again.length > 0)
      fail(
        issueId,
        'comments',
        [first, ...again].map((one) => `on #${one?.number}`),
      );
  }
}

function fail(issueId: string, what: string, which: readonly string[]): never {
  throw new Violation(`${issueId.slice(-4)} has several ${what}: ${which.join(', ')}`);
}
