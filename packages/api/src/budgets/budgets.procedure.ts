import {
  type BudgetSubject,
  endOfMonth,
  installationBudget,
  type MonthlyBudget,
  monthlyBudgetWire,
  monthOf,
  repoBudget,
  setRepoBudget,
  toMonthlyBudgetWire,
  userBudget,
} from '@sluice/core/budget';
import type { RepoId } from '@sluice/core/id';
import { authorizeRepo } from '@sluice/core/repo';
import * as z from 'zod';
import { noInput } from '../input/no-input.ts';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { limitChange, limitChangeOf } from './budget-change.wire.ts';

export const budgetMonth = {
  month: z.string().describe('The calendar month, such as `2026-11`, in UTC.'),
  ends_at: z.iso.datetime().describe('When the next month begins, and with it the budgets.'),
};

/** The month of now, in its wire format. */
export function budgetMonthOf(now: Date) {
  const month = monthOf(now);
  return { month, ends_at: endOfMonth(month).toISOString() };
}

export const repoBudgetWire = monthlyBudgetWire.extend({ repo_id: z.uuid(), name: z.string() });

export const budgetsWire = z.object({
  ...budgetMonth,
  user: monthlyBudgetWire.describe('Yours: for the issues that you created, on any repository.'),
  repositories: z.array(repoBudgetWire).describe('The budgets of the repositories of which you are an admin, by name.'),
  installation: monthlyBudgetWire
    .nullable()
    .describe('The budget of all users together; null unless you are an operator.'),
});

export const getBudgets = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/budgets',
      tags: ['budgets'],
      summary: 'Read your monthly budgets and what was spent',
      description:
        'Your own, those of the repositories of which you are an admin, and for operators that of the installation. A call of a model counts for the person who created the issue, for its repository and for the installation.',
    },
  })
  .input(noInput)
  .output(budgetsWire)
  .query(async ({ ctx }): Promise<z.infer<typeof budgetsWire>> => {
    const { user } = ctx.actor;
    const roles = await ctx.members.rolesOf(ctx.caller);
    const administered = [...roles].flatMap(([id, role]) => (role === 'admin' ? [id] : []));
    const [own, installation, ...ofRepos] = await ctx.budgets.ofSubjects([
      userBudget(user.id),
      installationBudget,
      ...administered.map(repoBudget),
    ]);
    if (own === undefined || installation === undefined) throw new Error('A budget that was asked for is missing.');
    const repositories = await Promise.all(
      ofRepos.map(async (budget) => {
        const repo = await ctx.repos.get(budget.subject as RepoId);
        return repo === null ? [] : [toRepoBudgetWire(budget, repo)];
      }),
    );
    return {
      ...budgetMonthOf(ctx.clock.now()),
      user: toMonthlyBudgetWire(own),
      repositories: repositories.flat().toSorted((one, other) => one.name.localeCompare(other.name)),
      installation: user.isOperator && ctx.caller.limits === null ? toMonthlyBudgetWire(installation) : null,
    };
  });

export const getRepoBudget = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/repos/{id}/budget',
      tags: ['budgets'],
      summary: 'Read the monthly budget of a repository',
      description: 'Needs the role `admin`.',
    },
    refusals: ['role_insufficient'],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(repoBudgetWire)
  .query(async ({ ctx, input }) => {
    const repo = await authorizeRepo(ctx, input.id, 'configure');
    return toRepoBudgetWire(await budgetOf(ctx, repoBudget(repo.id)), repo);
  });

export const updateRepoBudget = userProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/repos/{id}/budget',
      tags: ['budgets'],
      summary: 'Set the monthly budget of a repository',
      description:
        'Absent members stay as they are; null removes a limit. Issues that wait for this budget go on at once if there is budget again. Needs the role `admin`.',
    },
    example: { body: { cost_usd: 200, tokens: null } },
  })
  .input(z.strictObject({ id: resourceId, ...limitChange }))
  .output(repoBudgetWire)
  .mutation(async ({ ctx, input }) => {
    const repo = await authorizeRepo(ctx, input.id, 'configure');
    const budget = await setRepoBudget(ctx, repo, { change: limitChangeOf(input), by: ctx.by });
    return toRepoBudgetWire(budget, repo);
  });

function toRepoBudgetWire(budget: MonthlyBudget, { id, name }: { readonly id: RepoId; readonly name: string }) {
  return { repo_id: id, name, ...toMonthlyBudgetWire(budget) };
}

/** The budget of one subject in this month. */
async function budgetOf({ budgets }: Pick<RequestContext, 'budgets'>, subject: BudgetSubject): Promise<MonthlyBudget> {
  const [budget] = await budgets.ofSubjects([subject]);
  if (budget === undefined) throw new Error('The budget that was asked for is missing.');
  return budget;
}
