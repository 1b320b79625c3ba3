import { test as base } from './console-test.ts';
import { type SeededWorld, seedWorld } from './seeded-world.ts';
import { openSeededDatabase } from './story/seeded-database.ts';

interface SeededPerson {
  readonly world: SeededWorld;
  readonly session: Awaited<ReturnType<import('@playwright/test').APIRequestContext['storageState']>>;
}

/** A test whose browser is logged in as an operator with a repository, and one issue in each state, shared by a worker. */
// biome-ignore lint/complexity/noBannedTypes: the name of an empty set of fixtures in Playwright
export const test = base.extend<{}, { seeded: SeededPerson }>({
  seeded: [
    async ({ served, playwright }, use, { project }) => {
      const request = await playwright.request.newContext();
      const account = { email: 'ann@example.com', password: 'a long enough passphrase' };
      await request.post(`${served.url}/api/auth/register`, { data: account });
      const world = await seedWorld({ request }, { served, folder: project.outputDir });
      using database = openSeededDatabase(served.dataDir);
      database.change('users', world.userId, { is_operator: 1 });
      await use({ world, session: await request.storageState() });
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  storageState: async ({ seeded }, use) => await use(seeded.session),
});

export { expect } from './console-test.ts';
