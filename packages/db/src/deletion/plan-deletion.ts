import type { DeletionPlan, HeirRules, LeftRepo } from '@sluice/core/deletion';
import type { UserId } from '@sluice/core/id';
import { isTerminal, MAX_COUNTED_ISSUES, statusesWhere } from '@sluice/core/issue';
import { and, count, desc, eq, inArray, isNull, ne, notInArray, type SQL } from 'drizzle-orm';
import { isVisible } from '../removal/is-visible.ts';
import { selectRepos, toRepo } from '../repo/read-repo.ts';
import type { StoreContext } from '../store/store-context.ts';
import { findCredentials } from '../user/credentials.ts';
import { hasOtherOperator } from '../user/operators.ts';
import { findHeir } from './find-heir.ts';

/** The statuses of issues that a deletion has to cancel. */
export const unended = statusesWhere((status) => !isTerminal(status));

/** `DeletionStore.plan`: what a deletion would do at this moment. */
export async function planDeletion(context: StoreContext, userId: UserId, rules: HeirRules): Promise<DeletionPlan> {
  const { read, tables } = context.database;
  const { users, repos, issues } = tables;
  const reading = { context, db: read };
  const isUsers = eq(issues.userId, userId);
  const isUnended = inArray(issues.status, unended);
  const newest = async (where: SQL | undefined): Promise<number> => {
    const counted = read
      .select({ ordinal: issues.ordinal }) // the index has it, so that no issue is read
      .from(issues)
      .where(where)
      .orderBy(desc(issues.ordinal))
      .limit(MAX_COUNTED_ISSUES)
      .as('counted');
    const [row] = await read.select({ total: count() }).from(counted);
    return row?.total ?? 0;
  };
  const [user] = await read.select({ isOperator: users.isOperator }).from(users).where(eq(users.id, userId));
  const own = await selectRepos(read, tables)
    .where(and(eq(repos.userId, userId), isNull(repos.removedAt)))
    .orderBy(desc(repos.ordinal));
  const left: LeftRepo[] = [];
  let issuesToCancel = await read.$count(issues, and(isUsers, isUnended, isVisible(context.database, read)));
  for (const row of own) {
    const repo = toRepo(row);
    const { id, name } = repo;
    const isHere = eq(issues.repoId, id);
    const isOthers = ne(issues.userId, userId);
    const heir = await findHeir(reading, repo, rules);
    if (heir === null) issuesToCancel += await read.$count(issues, and(isHere, isOthers, isUnended));
    left.push({
      id,
      name,
      heir,
      issues: await newest(isHere),
      issuesOfOthers: await newest(and(isHere, isOthers)),
      hasToken: repo.accessToken !== null,
    });
  }
  const removed = left.filter(({ heir }) => heir === null).map(({ id }) => id);
  return {
    isLastOperator: user?.isOperator === true && !(await hasOtherOperator(reading, userId)),
    hasPassword: (await findCredentials(reading, { userId })).length > 0,
    issuesToCancel,
    issuesKept: await newest(
      and(
        isUsers,
        removed.length === 0 ? undefined : notInArray(issues.repoId, removed),
        isVisible(context.database, read),
      ),
    ),
    repos: left,
  };
}
