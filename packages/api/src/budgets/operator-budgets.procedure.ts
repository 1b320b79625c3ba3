import { requireOperator, type UserStore } from '@sluice/core/account';
import {
  installationBudget,
  type MonthlyBudget,
  monthlyBudgetWire,
  monthlyLimitWire,
  setOperatorBudget,
  toMonthlyBudgetWire,
  userBudget,
} from '@sluice/core/budget';
import { AppError } from '@sluice/core/error';
import { isId, type UserId } from '@sluice/core/id';
import * as z from 'zod';
import { noInput } from '../input/no-input.ts';
import { text } from '../input/text.ts';
import { userProcedure } from '../procedure/procedure.ts';
import { limitChange, limitChangeOf } from './budget-change.wire.ts';
import { budgetMonth, budgetMonthOf } from './budgets.procedure.ts';

export const userBudgetWire = monthlyBudgetWire.extend({
  user_id: z.uuid(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  codehost_login: z.string().nullable(),
});

export const operatorBudgetsWire = z.object({
  ...budgetMonth,
  installation: monthlyBudgetWire.describe('The budget of all users together.'),
  each_user: monthlyLimitWire.describe('The limit of each user who has none of their own.'),
  users: z
    .array(userBudgetWire)
    .describe('Users with a limit of their own, then those that have spent the most this month: 200 at most.'),
});
type OperatorBudgets = z.infer<typeof operatorBudgetsWire>;

interface Reading {
  readonly budgets: { list(): Promise<readonly MonthlyBudget[]> };
  readonly users: Pick<UserStore, 'get'>;
  readonly clock: { now(): Date };
}

async function readAll({ budgets, users, clock }: Reading): Promise<OperatorBudgets> {
  const [installation, eachUser, ...ofUsers] = await budgets.list();
  if (installation === undefined || eachUser === undefined) throw new Error('The list of budgets is incomplete.');
  const listed: OperatorBudgets['users'] = [];
  for (const budget of ofUsers) {
    const user = await users.get(budget.subject as UserId);
    if (user === null) continue;
    const { id, name, email, codehostLogin } = user;
    listed.push({ user_id: id, name, email, codehost_login: codehostLogin, ...toMonthlyBudgetWire(budget) });
  }
  return {
    ...budgetMonthOf(clock.now()),
    installation: toMonthlyBudgetWire(installation),
    each_user: toMonthlyBudgetWire(eachUser).limit,
    users: listed,
  };
}

export const getOperatorBudgets = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/admin/budgets',
      tags: ['admin'],
      summary: 'Read the monthly budgets of the installation and its users',
      description: 'For operators. The budgets of repositories are set by their admins.',
    },
    refusals: ['operator_required'],
  })
  .input(noInput)
  .output(operatorBudgetsWire)
  .query(async ({ ctx }) => {
    requireOperator(ctx.actor.user);
    return await readAll(ctx);
  });

export const updateOperatorBudgets = userProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/admin/budgets',
      tags: ['admin'],
      summary: 'Set the monthly budget of the installation or of users',
      description:
        'For operators. Absent limits stay as they are; null removes one. Issues that wait for this budget go on at once if there is budget again. A limit of a user replaces that of each user.',
    },
    refusals: ['operator_required', 'user_not_found'],
    example: { body: { of: 'each_user', cost_usd: 50 } },
  })
  .input(
    z
      .strictObject({
        of: z.enum(['installation', 'each_user', 'user']),
        user: text({ min: 1, max: 254, line: true })
          .optional()
          .describe('With `user`: the id or e-mail of the account.'),
        ...limitChange,
      })
      .refine(({ of, user }) => (of === 'user') === (user !== undefined), {
        path: ['user'],
        message: 'is needed with `of: "user"`, and not allowed without it',
      }),
  )
  .output(operatorBudgetsWire)
  .mutation(async ({ ctx, input }) => {
    requireOperator(ctx.actor.user);
    const subject =
      input.of === 'installation'
        ? installationBudget
        : userBudget(input.user === undefined ? null : await userNamed(ctx.users, input.user));
    await setOperatorBudget(ctx, subject, { change: limitChangeOf(input), by: ctx.by });
    return await readAll(ctx);
  });

/** @throws AppError `user_not_found` */
async function userNamed(users: Pick<UserStore, 'get' | 'find'>, name: string): Promise<UserId> {
  const user = isId(name) ? await users.get(name as UserId) : await users.find({ email: name });
  if (user === null) throw new AppError('user_not_found', { detail: `There is no user ${name} on this server.` });
  return user.id;
}
