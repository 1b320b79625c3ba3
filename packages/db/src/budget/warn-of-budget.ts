import { type MonthlyBudget, NO_SUBJECT, renderUsed, usedShare } from '@sluice/core/budget';
import type { RepoId, UserId } from '@sluice/core/id';
import type { StoredNotification } from '@sluice/core/notification';
import { and, eq, isNull, or } from 'drizzle-orm';
import { insertDeliveries } from '../event/append-deliveries.ts';
import type { Write } from '../store/store-context.ts';

/**
 * `BudgetStore.warn`. Notifies the user whose budget it is, also where it is the limit of each user; the admins of the repository; or
 * the operators, of that of the installation.
 */
export async function warnOfBudget(write: Write, budget: MonthlyBudget): Promise<boolean> {
  const { spending } = write.context.database.tables;
  const { kind, subject, month } = budget;
  const noted = await write.db
    .update(spending)
    .set({ warned: true })
    .where(
      and(
        eq(spending.month, month),
        eq(spending.kind, kind),
        eq(spending.subject, subject),
        eq(spending.warned, false),
      ),
    )
    .returning({ subject: spending.subject });
  if (noted.length === 0) return false;
  const repo = kind === 'repo' ? await nameOf(write, subject as RepoId) : null;
  const notification: StoredNotification = {
    type: 'monthly_budget.warning',
    timestamp: write.now.toISOString(),
    data: { budget: { of: kind, repo, month, share: usedShare(budget), detail: renderUsed(budget) } },
  };
  const targets = await targetsOf(write, budget);
  const wanting = targets.filter(({ events }) => events.includes(notification.type));
  await insertDeliveries(
    write,
    wanting.map(({ id }) => ({ targetId: id, issueId: null, notification })),
  );
  return true;
}

async function nameOf({ context, db }: Write, id: RepoId) {
  const { repos } = context.database.tables;
  const [repo] = await db.select({ id: repos.id, name: repos.name }).from(repos).where(eq(repos.id, id));
  return repo ?? null;
}

/** The targets of the warning. A target for a single repository gets only the warnings of that repository. */
async function targetsOf({ context, db }: Write, { kind, subject }: MonthlyBudget) {
  const { notificationTargets: targets, users, repos, repoMembers: members } = context.database.tables;
  const from = db
    .select({ id: targets.id, events: targets.events })
    .from(targets)
    .innerJoin(users, eq(users.id, targets.userId));
  const isOn = and(isNull(targets.disabledAt), isNull(users.disabledAt));
  if (kind === 'installation') return await from.where(and(isOn, isNull(targets.repoId), eq(users.isOperator, true)));
  if (kind === 'user') {
    if (subject === NO_SUBJECT) return [];
    return await from.where(and(isOn, isNull(targets.repoId), eq(users.id, subject as UserId)));
  }
  const repoId = subject as RepoId;
  return await from
    .leftJoin(repos, and(eq(repos.id, repoId), eq(repos.userId, users.id)))
    .leftJoin(members, and(eq(members.repoId, repoId), eq(members.userId, users.id), eq(members.role, 'admin')))
    .where(
      and(
        isOn,
        or(isNull(targets.repoId), eq(targets.repoId, repoId)),
        or(eq(repos.id, repoId), eq(members.repoId, repoId)),
      ),
    );
}
