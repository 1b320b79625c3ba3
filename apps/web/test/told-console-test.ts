import { test as base } from './console-test.ts';
import { openToldDatabase } from './story/told-database.ts';
import { type ToldWorld, tellWorld } from './told-world.ts';

interface ToldPerson {
  readonly world: ToldWorld;
  readonly session: Awaited<ReturnType<import('@playwright/test').APIRequestContext['storageState']>>;
}

/** A test whose browser is logged in as an operator with a repository, and one issue in each state, shared by a worker. */
// biome-ignore lint/complexity/noBannedTypes: the name of an empty set of fixtures in Playwright
export const test = base.extend<{}, { told: ToldPerson }>({
  told: [
    async ({ served, playwright }, use, { project }) => {
      const request = await playwright.request.newContext();
      const account = { email: 'ann@example.com', password: 'a long enough passphrase' };
      await request.post(`${served.url}/api/auth/register`, { data: account });
      const world = await tellWorld({ request }, { served, folder: project.outputDir });
      using database = openToldDatabase(served.dataDir);
      database.change('users', world.userId, { is_operator: 1 });
      await use({ world, session: await request.storageState() });
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  storageState: async ({ told }, use) => await use(told.session),
});

export { expect } from './console-test.ts';
