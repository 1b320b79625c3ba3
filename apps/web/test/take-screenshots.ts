// Writes a picture of every page in both themes to docs/images: node apps/web/test/take-screenshots.ts
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import buildService from './build-service.ts';
import { consolePages } from './console-pages.ts';
import { indexedPng } from './indexed-png.ts';
import { serveConsole } from './serve-console.ts';
import { tellWorld } from './told-world.ts';

const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

await using stack = new AsyncDisposableStack();
stack.defer(await buildService());
const folder = mkdtempSync(join(tmpdir(), 'sluice-screenshots-'));
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
const served = stack.use(await serveConsole());
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
});
stack.defer(() => browser.close());
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: served.url });
const page = await context.newPage();
mkdirSync(images, { recursive: true });

async function take(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const path = join(images, `${name.replaceAll(' ', '-')}-${colorScheme}.png`);
    writeFileSync(path, indexedPng(await page.screenshot()));
  }
}

await page.goto('/login');
await page.getByLabel('Password').waitFor();
await take('login');
await page.goto('/register');
await page.getByLabel('Password').waitFor();
await take('register');
const account = { email: 'ann@example.com', password: 'a long enough passphrase' };
await context.request.post('/api/auth/register', { data: account });
await page.goto('/issues');
await page.getByRole('heading', { level: 2 }).first().waitFor();
await take('empty inbox');
const world = await tellWorld(context, { served, folder });
for (const { name, path, ready } of consolePages) {
  await page.goto(path(world));
  await ready(page).first().waitFor();
  // The lines, below what is said about them.
  if (name === 'diff') await page.getByRole('heading', { name: 'Tests' }).evaluate((tests) => tests.scrollIntoView());
  await take(name);
}
await page.goto('/issues');
await page.getByRole('link', { name: 'Show the total in words' }).waitFor();
await page.keyboard.press('Control+k');
await page.getByRole('dialog').waitFor();
await take('palette');
