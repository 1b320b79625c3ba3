import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from '../chromium-launch.ts';
import { apiUser } from '../test/api-user.ts';
import buildService from '../test/build-service.ts';
import { makeSampleRepo } from '../test/sample-repo.ts';
import { serveConsole } from '../test/serve-console.ts';
import { openSeededDatabase, type SeededDatabase } from '../test/story/seeded-database.ts';

export interface ConsolePage {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly url: string;
  readonly user: ReturnType<typeof apiUser>;
  readonly database: SeededDatabase;
  readonly ids: { readonly userId: string; readonly repoId: string };
}

/** A browser at the built service, logged in as the owner of a repository, for as long as `use` takes. */
export async function withConsolePage(use: (console: ConsolePage) => Promise<void>): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const removePrograms = await buildService();
  stack.defer(removePrograms);
  const repos = mkdtempSync(join(tmpdir(), 'sluice-web-bench-'));
  stack.defer(() => rmSync(repos, { recursive: true, force: true }));
  const served = stack.use(await serveConsole());
  const browser = await chromium.launch(chromiumLaunch);
  stack.defer(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const account = { email: 'ann@example.com', password: 'a long enough passphrase' };
  await context.request.post(`${served.url}/api/auth/register`, { data: account });
  const user = apiUser(context.request, served.url);
  const { id: userId } = await user.get('/auth/me');
  const { id: repoId } = await user.post('/repos', { url: makeSampleRepo(repos) });
  const database = stack.use(openSeededDatabase(served.dataDir));
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await use({ page, cdp, url: served.url, user, database, ids: { userId, repoId } });
}
