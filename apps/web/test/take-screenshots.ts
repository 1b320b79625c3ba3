// Writes pictures of the pages to docs/images: node apps/web/test/take-screenshots.ts
// With names, such as 'publish gate', only these are written. No test takes or compares one: a person decides when a page has
// changed so much that its picture misleads, and names it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from '../chromium-launch.ts';
import buildService from './build-service.ts';
import { consolePages } from './console-pages.ts';
import { serveHosted, signInHosted } from './hosted-world.ts';
import { indexedPng } from './indexed-png.ts';
import { seedWorld } from './seeded-world.ts';
import { type ServedConsole, serveConsole } from './serve-console.ts';
import { seedDone } from './story/invoice-story.ts';
import { seedPublishGate } from './story/publish-gate-story.ts';
import { openSeededDatabase } from './story/seeded-database.ts';

const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
const REPO_URL = 'https://git.example.com/shop/invoice';
const chosen = process.argv.slice(2);
/** Pages with colours that mean something, such as those of added and removed lines. The others differ in no word. */
const inBothThemes = ['plan gate', 'diff'];

await using stack = new AsyncDisposableStack();
stack.defer(await buildService());
const folder = mkdtempSync(join(tmpdir(), 'sluice-screenshots-'));
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
const browser = await chromium.launch(chromiumLaunch);
stack.defer(() => browser.close());
mkdirSync(images, { recursive: true });

await takeMost();
await takeHosted();
await takeUnsandboxed();

/** All that a service alone can show, from the first page to a repository with issues in each state. */
async function takeMost(): Promise<void> {
  await using served = await serveConsole();
  const page = await openPage(served);
  await page.goto('/login');
  await page.getByLabel('Password').waitFor();
  await take(page, 'login');
  await page.goto('/register');
  await page.getByLabel('Password').waitFor();
  await take(page, 'register');
  await register(page);
  await page.goto('/issues');
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await take(page, 'empty inbox');
  const world = await seedWorld(page.context(), { served, folder });
  using database = openSeededDatabase(served.dataDir);
  const code_index = { commit: world.base, files: 214, chunks: 1_802, updated_at: new Date().toISOString() };
  for (const { name, path, ready } of consolePages) {
    // Before this the gate has read the repository where it is, in a folder whose name says nothing to a reader.
    if (name === 'repositories') database.change('repos', world.repoId, { url: `${REPO_URL}.git`, code_index });
    await page.goto(path(world));
    await ready(page).first().waitFor();
    // The lines, below what is said about them.
    if (name === 'diff') await page.getByRole('heading', { name: 'Tests' }).evaluate((tests) => tests.scrollIntoView());
    await take(page, name);
  }
  await page.goto('/settings');
  const notifications = page.locator('#notifications');
  await notifications.getByRole('button', { name: 'Test The deploy bot' }).waitFor();
  await notifications.evaluate((section) => section.scrollIntoView({ block: 'center' }));
  await take(page, 'notifications');
  await notifications.getByRole('button', { name: 'Add a webhook…' }).click();
  await page.getByRole('dialog').waitFor();
  await take(page, 'new webhook');
  await page.keyboard.press('Escape');
  await notifications.getByRole('button', { name: 'Deliveries to The deploy bot' }).click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
  await take(page, 'deliveries');
  await page.goto('/issues');
  await page.getByRole('link', { name: 'Print a discount as a percentage' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await take(page, 'palette');
  await page.goto(`/issues/${seedPublishGate(database, world)}`);
  await page.getByRole('heading', { name: 'Publish this change?' }).waitFor();
  await page.getByText('setup-node@v5').first().waitFor();
  await take(page, 'publish gate');
  await page.getByRole('heading', { name: 'Changed files' }).evaluate((files) => files.scrollIntoView());
  await take(page, 'publish gate diff');
}

/** Takes the pages of a code host: import and pull requests. */
async function takeHosted(): Promise<void> {
  await using world = await serveHosted(folder);
  const page = await openPage(world);
  const { userId, repoId } = await signInHosted(page.context(), world);
  await page.goto(`/repos/${repoId}/import`);
  for (const title of ['An invoice without lines', 'The total overflows', 'A discount of 100 %'])
    await page.getByRole('checkbox', { name: title }).check();
  await page.mouse.move(0, 0);
  await take(page, 'import list');
  const searched = page.waitForResponse((answer) => answer.url().includes(encodeURIComponent('"q":"bug"')));
  await page.getByRole('searchbox').fill('bug');
  await searched;
  await page.getByText('Loading').waitFor({ state: 'detached' });
  await take(page, 'import search');
  using database = openSeededDatabase(world.dataDir);
  await page.goto(`/issues/${seedDone(database, { userId, repoId }, REPO_URL)}`);
  await page.getByRole('listitem').getByText('linePrice', { exact: true }).waitFor();
  await take(page, 'pull request');
}

/** Takes the warnings of a server without a sandbox. */
async function takeUnsandboxed(): Promise<void> {
  await using served = await serveConsole({ SANDBOX: 'none' });
  const page = await openPage(served);
  await register(page);
  const { running } = await seedWorld(page.context(), { served, folder });
  await page.goto(`/issues/${running}`);
  await page.getByText('sandbox off').first().waitFor();
  await page.getByText('Created', { exact: true }).nth(1).waitFor(); // in the timeline, below the facts
  await take(page, 'issue without a sandbox');
  await page.goto('/admin');
  await page.getByRole('main').getByText('sandbox off', { exact: true }).waitFor(); // the worker has tried it by then
  await take(page, 'admin without a sandbox');
}

async function openPage(served: ServedConsole): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: served.url });
  return await context.newPage();
}

async function register(page: Page): Promise<void> {
  const account = { email: 'ann@example.com', password: 'a long enough passphrase' };
  await page.request.post('/api/auth/register', { data: account });
}

async function take(page: Page, name: string): Promise<void> {
  if (chosen.length > 0 && !chosen.includes(name)) return;
  const themes = inBothThemes.includes(name) ? (['light', 'dark'] as const) : (['light'] as const);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const path = join(images, `${name.replaceAll(' ', '-')}-${colorScheme}.png`);
    writeFileSync(path, indexedPng(await page.screenshot()));
  }
}
