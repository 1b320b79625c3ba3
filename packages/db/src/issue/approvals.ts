import { includesRole } from '@sluice/core/access';
import type { RepoId, UserId } from '@sluice/core/id';
import type { IssueChange } from '@sluice/core/issue';
import { approvalRules, isStricter } from '@sluice/core/pipeline';
import { and, eq, isNull } from 'drizzle-orm';
import { holdRepo } from '../access/hold-repo.ts';
import { readRole } from '../access/role-of.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';
import { holdUser } from '../user/hold-user.ts';

const selectSettings = prepared(({ context, db }, given: Given<{ id: RepoId }>) => {
  const { repos } = context.database.tables;
  return db
    .select({ settings: repos.settings })
    .from(repos)
    .where(and(eq(repos.id, given('id', repos.id)), isNull(repos.removedAt)));
});

/** `RepoStore.approvalRules`. */
export async function readApprovalRules(on: Handle, id: RepoId) {
  const [repo] = await selectSettings(on, { id });
  return repo === undefined ? null : approvalRules(repo.settings, on.context.leastApproval);
}

const selectEnabled = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, given('id', users.id)), isNull(users.disabledAt)));
});

/** `MemberStore.approversAmong`. */
export async function approversAmong(
  on: Handle,
  repoId: RepoId,
  userIds: readonly UserId[],
): Promise<readonly UserId[]> {
  const found: UserId[] = [];
  for (const id of userIds) {
    const [user] = await selectEnabled(on, { id });
    const role = user === undefined ? null : await readRole(on, repoId, id);
    if (role !== null && includesRole(role, 'approver')) found.push(id);
  }
  return found;
}

/**
 * Whether what an approval rests on still holds. The rows that say so are locked to the end of the transaction, so that a change of
 * the rules, of a role or of an account comes before it or after it.
 */
export async function stillApproved(
  write: Write,
  { repoId, gate, policy, users }: NonNullable<IssueChange['approval']>,
): Promise<boolean> {
  for (const id of [...users].sort()) await holdUser(write, id); // before the repository, as a new issue does
  await holdRepo(write, repoId);
  const rules = await readApprovalRules(write, repoId);
  if (rules === null || isStricter(rules[gate], policy)) return false;
  return (await approversAmong(write, repoId, users)).length === new Set(users).size;
}
