import type { Page } from '@playwright/test';
import { consolePages, isUsualPage } from '../console-pages.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { expectStructure } from '../expect-structure.ts';
import { expectRoom, expectWellMade } from '../expect-well-made.ts';
import { expect, test } from '../seeded-console-test.ts';

// Usual way: apps/web/test/accessibility.spec.ts

for (const { name, path, ready } of consolePages.filter((page) => !isUsualPage(page))) {
  test(`the page “${name}” has its structure, no fault that axe finds, lines in forced colours and room on a phone`, async ({
    page,
    seeded,
  }) => {
    await page.goto(path(seeded.world));
    await expect(ready(page).first()).toBeVisible();
    await expectWellMade(page, name);
  });
}

for (const { name, path, ready } of consolePages) {
  const isDarkInEveryRun = name === 'plan gate' || name === 'diff';
  test(`${isDarkInEveryRun ? '' : '@soak '}the page “${name}” has no fault that axe finds in the dark`, async ({
    page,
    seeded,
  }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(path(seeded.world));
    await expect(ready(page).first()).toBeVisible();
    await expectAccessible(page);
  });
}

test.describe('without a session', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  for (const path of ['/login', '/register']) {
    test(`the page “${path}” has its structure, no fault that axe finds, and room on a phone`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByLabel('Password')).toBeVisible();
      await expectAccessible(page);
      await expectStructure(page.locator('body'), path.slice(1));
      await expectRoom(page);
    });
  }
});

test('an inbox with nothing in it says what to do first', async ({ browser, baseURL }) => {
  // Registering with the session of the others would end it.
  const context = await browser.newContext({ baseURL: baseURL ?? '', storageState: { cookies: [], origins: [] } });
  const account = { email: 'new@example.com', password: 'a long enough passphrase' };
  await context.request.post('/api/auth/register', { data: account });
  const page = await context.newPage();
  await page.goto('/issues');
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  await expectAccessible(page);
  await expectStructure(page.locator('#content'), 'empty inbox');
  await expectRoom(page);
  await context.close();
});

test('an address without a page leads to the inbox', async ({ page }) => {
  const inbox = page.getByRole('heading', { level: 1, name: 'Inbox' });
  await page.goto('/issues');
  await expect(inbox).toBeVisible();
  await page.evaluate(() => history.pushState(null, '', '/nothing'));
  await expect(page.getByRole('heading', { name: 'No such page' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to the inbox' }).click();
  await expect(inbox).toBeVisible();
  await expect(page).toHaveURL('/issues');
});

const dialogs = [
  { name: 'the palette', at: '/issues', open: (page: Page) => page.keyboard.press('Control+k') },
  { name: 'the shortcuts', at: '/issues', open: (page: Page) => page.keyboard.press('?') },
  {
    name: 'the notifications',
    at: '/issues',
    open: (page: Page) => page.getByRole('button', { name: /notification/i }).click(),
  },
  { name: 'the approval', at: 'atGate', open: (page: Page) => page.keyboard.press('a') },
  { name: 'the rejection', at: 'atGate', open: (page: Page) => page.keyboard.press('r') },
  { name: 'the cancellation', at: 'running', open: (page: Page) => page.keyboard.press('x') },
  { name: 'the retry', at: 'failed', open: (page: Page) => page.keyboard.press('s') },
] as const;

for (const { name, at, open } of dialogs) {
  const tag = name === 'the palette' || name === 'the approval' ? '' : '@soak ';
  test(`${tag}${name} is a dialog without a fault that axe finds, in both themes and on a phone`, async ({
    page,
    seeded,
  }) => {
    await page.goto(at === '/issues' ? at : `/issues/${seeded.world[at]}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('#content').getByText('Loading')).toHaveCount(0);
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await expect(async () => {
      if ((await dialog.count()) === 0) await open(page);
      await expect(dialog).toBeVisible({ timeout: 2_000 }); // a key before the page listens is lost
    }).toPass();
    await expectAccessible(page);
    await expectStructure(dialog, name);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await expectRoom(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
}

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing moves, on a page of a running issue and when a dialog opens', async ({ page, seeded }) => {
    const moving = () =>
      page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
    await page.goto(`/issues/${seeded.world.running}?view=activity`);
    await expect(page.getByRole('button', { name: 'Implement' })).toBeVisible();
    expect(await moving()).toBe(0);
    await page.getByRole('button', { name: 'Implement' }).click();
    expect(await moving()).toBe(0);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await moving()).toBe(0);
  });
});
