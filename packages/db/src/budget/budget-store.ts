import {
  type BudgetStore,
  type BudgetSubject,
  budgetKinds,
  installationBudget,
  type LimitChange,
  MAX_LISTED_BUDGETS,
  type MonthlyBudget,
  type MonthlyLimit,
  monthOf,
  NO_SUBJECT,
  userBudget,
} from '@sluice/core/budget';
import { AppError } from '@sluice/core/error';
import type { RepoId, UserId } from '@sluice/core/id';
import { and, asc, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { holdRepo } from '../access/hold-repo.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { admit } from '../issue/admission.ts';
import { queueHeld, queueThoseWithBudget } from '../issue/queue-held.ts';
import { bookSpending, boundingBudgets, limitOf, monthlyBudget } from '../spending/spending.ts';
import type { Handle } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { holdUser } from '../user/hold-user.ts';
import { budgetLoad } from './budget-load.ts';
import { warnOfBudget } from './warn-of-budget.ts';

/** How many subjects one statement asks about. */
const AT_ONCE = 500;

/** Monthly budgets and what was spent of them. */
export function createBudgetStore(context: StoreContext): BudgetStore {
  const { database, clock } = context;
  const reading = { context, db: database.read };
  return {
    bounding: (payer) => boundingBudgets(reading, payer, clock.now()),
    ofSubjects: (subjects) => ofSubjects(reading, subjects, clock.now()),

    list: async () => {
      const now = clock.now();
      const users = await usersToList(reading, monthOf(now));
      return await ofSubjects(reading, [installationBudget, userBudget(null), ...users.map(userBudget)], now);
    },

    book: (payer, usage) =>
      write(context, async (write) => {
        bookSpending(write, payer, [usage]);
      }),

    warn: (budget) => write(context, (write) => warnOfBudget(write, budget)),

    set: (subject, change, audit) =>
      write(context, async (write) => {
        await database.lockDispatch(write.db);
        await requireSubject(write, subject);
        const limit = changed(await ofSubject(write, subject), change);
        await appendAudit(write, audit?.(limit));
        await putLimit(write, subject, limit);
        if ((await queueThoseWithBudget(write)) > 0) await admit(write);
        return await ofSubject(write, subject);
      }),

    queueHeld: () => queueHeld(context),
    load: () => budgetLoad(reading, clock.now()),
  };
}

/** Users with a limit of their own, then those that have spent the most. */
async function usersToList({ context, db }: Handle, month: string): Promise<readonly UserId[]> {
  const { budgets, spending } = context.database.tables;
  const limited = await db
    .select({ subject: budgets.subject })
    .from(budgets)
    .where(and(eq(budgets.kind, 'user'), ne(budgets.subject, NO_SUBJECT)))
    .orderBy(asc(budgets.subject))
    .limit(MAX_LISTED_BUDGETS);
  const spent = await db
    .select({ subject: spending.subject })
    .from(spending)
    .where(and(eq(spending.month, month), eq(spending.kind, 'user')))
    .orderBy(desc(sql`${spending.inputTokens} + ${spending.outputTokens}`), asc(spending.subject))
    .limit(MAX_LISTED_BUDGETS);
  const all = new Set([...limited, ...spent].map(({ subject }) => subject as UserId));
  return [...all].slice(0, MAX_LISTED_BUDGETS);
}

/** @throws AppError `repo_not_found`, `user_not_found` */
async function requireSubject(write: Write, { kind, subject }: BudgetSubject): Promise<void> {
  if (kind === 'repo') await holdRepo(write, subject as RepoId);
  if (kind !== 'user' || subject === NO_SUBJECT) return;
  if ((await holdUser(write, subject as UserId)) === null) throw new AppError('user_not_found');
}

/** Read under the dispatch lock: another change at the same time has changed it before, or will find this one. */
function changed({ limit }: MonthlyBudget, { costUsd, tokens }: LimitChange): MonthlyLimit {
  return {
    costUsd: costUsd === undefined ? limit.costUsd : costUsd,
    tokens: tokens === undefined ? limit.tokens : tokens,
  };
}

async function putLimit({ context, db, now }: Write, subject: BudgetSubject, limit: MonthlyLimit): Promise<void> {
  const { budgets, spending } = context.database.tables;
  if (limit.costUsd === null && limit.tokens === null) {
    await db.delete(budgets).where(and(eq(budgets.kind, subject.kind), eq(budgets.subject, subject.subject)));
  } else {
    await db
      .insert(budgets)
      .values({ ...subject, ...limit, updatedAt: now })
      .onConflictDoUpdate({ target: [budgets.kind, budgets.subject], set: { ...limit, updatedAt: now } });
  }
  const isEachUser = subject.kind === 'user' && subject.subject === NO_SUBJECT;
  await db
    .update(spending)
    .set({ warned: false })
    .where(
      and(
        eq(spending.month, monthOf(now)),
        eq(spending.kind, subject.kind),
        isEachUser ? undefined : eq(spending.subject, subject.subject),
        eq(spending.warned, true),
      ),
    );
}

async function ofSubject(write: Write, subject: BudgetSubject): Promise<MonthlyBudget> {
  const [budget] = await ofSubjects(write, [subject], write.now);
  if (budget === undefined) throw new Error('The budget that was asked for is missing.');
  return budget;
}

async function ofSubjects({ context, db }: Handle, subjects: readonly BudgetSubject[], now: Date) {
  const { budgets, spending } = context.database.tables;
  const month = monthOf(now);
  const found = [];
  for (let at = 0; at < subjects.length; at += AT_ONCE) {
    const some = subjects.slice(at, at + AT_ONCE);
    const names = [NO_SUBJECT, ...some.map(({ subject }) => subject)];
    const limits = await db
      .select({ kind: budgets.kind, subject: budgets.subject, costUsd: budgets.costUsd, tokens: budgets.tokens })
      .from(budgets)
      // The kinds first, as the primary key has them: without them all rows are read.
      .where(and(inArray(budgets.kind, [...budgetKinds]), inArray(budgets.subject, names)));
    const spent = await db
      .select()
      .from(spending)
      .where(and(eq(spending.month, month), inArray(spending.subject, names)));
    found.push(...some.map((subject) => monthlyBudget(subject, { month, limit: limitOf(subject, limits), spent })));
  }
  return found;
}
