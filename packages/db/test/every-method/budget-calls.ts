import { installationBudget, repoBudget, userBudget } from '@sluice/core/budget';
import type { CallsOf } from './calls-of.ts';
import type { World } from './world.ts';

const usage = { input_tokens: 10, output_tokens: 5, cost_usd: 0.5 };
const limit = { costUsd: 100, tokens: 1_000_000_000 };

/** With a limit for each of the payer's subjects. */
async function limited({ stores, userId, repoId }: World) {
  for (const subject of [userBudget(userId), repoBudget(repoId), installationBudget])
    await stores.budgets.set(subject, limit);
  return { userId, repoId };
}

export const budgetCalls: CallsOf<'budgets'> = {
  budgets: {
    bounding: {
      'without a limit': async ({ stores, userId, repoId }) => {
        return () => stores.budgets.bounding({ userId, repoId });
      },
      'with limits': async (world) => {
        const payer = await limited(world);
        return () => world.stores.budgets.bounding(payer);
      },
    },
    ofSubjects: async ({ stores, userId, repoId }) => {
      return () => stores.budgets.ofSubjects([userBudget(userId), repoBudget(repoId), installationBudget]);
    },
    list: async (world) => {
      await limited(world);
      return () => world.stores.budgets.list();
    },
    book: async ({ stores, userId, repoId }) => {
      return () => stores.budgets.book({ userId, repoId }, usage);
    },
    warn: async (world) => {
      const payer = await limited(world);
      await world.stores.budgets.book(payer, usage);
      const [budget] = await world.stores.budgets.bounding(payer);
      if (budget === undefined) throw new Error('no budget bounds the payer');
      return () => world.stores.budgets.warn(budget);
    },
    set: async ({ stores, repoId }) => {
      return () => stores.budgets.set(repoBudget(repoId), limit);
    },
    load: async (world) => {
      await limited(world);
      return () => world.stores.budgets.load();
    },
    queueHeld: async ({ stores }) => {
      return () => stores.budgets.queueHeld();
    },
  },
};
