import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '../console-test.ts';
import { makeScratchRepo } from '../scratch-repo.ts';
import { startIssue } from '../start-issue.ts';

// Usual way: packages/api/test/notifications.test.ts

test('notifies a hidden tab that a decision is wanted', async ({ page, context, account: _, served }) => {
  using repo = makeScratchRepo();
  await context.grantPermissions(['notifications']);
  await recordNotifications(context);
  await page.clock.install();
  await page.goto('/issues');
  await page.getByRole('button', { name: 'Notifications are off.' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('Notifications are on.');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await setHidden(page, true);

  const { id } = await startIssue(context.request, { url: served.url, path: repo.path });
  // Such a tab asks once a minute.
  await expect(async () => {
    await page.clock.fastForward('01:00');
    await expect(page).toHaveTitle('(1) Inbox · Sluice', { timeout: 2_000 });
  }).toPass();
  const titles = () => page.evaluate(() => shownNotifications.map(({ title }) => title));
  await expect.poll(titles).toEqual(['Plan to approve: The value is broken']);

  // A click leads to the issue. The tab counts down once it is decided.
  const baseRead = page.waitForResponse(/issues\.base/); // it would be refused once the plan is rejected
  await setHidden(page, false);
  await page.evaluate(() => shownNotifications[0]?.dispatchEvent(new Event('click')));
  await expect(page).toHaveURL(`/issues/${id}`);
  await baseRead;
  const decided = await context.request.post(`/api/issues/${id}/approve`, { data: { action: 'reject', revision: 1 } });
  expect(decided.ok(), await decided.text()).toBe(true);
  await expect(page).toHaveTitle('The value is broken · Sluice');
  expect(await titles()).toHaveLength(1);
});

/** Says to the page what a browser says when another tab comes to the front, and back. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true });
    const visibilityState = hidden ? 'hidden' : 'visible';
    Object.defineProperty(document, 'visibilityState', { get: () => visibilityState, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

declare const shownNotifications: Notification[];

/** Keeps the notifications of every page, to be read as `shownNotifications`. */
async function recordNotifications(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shown: Notification[] = [];
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        shown.push(this);
      }
    };
    Object.assign(window, { shownNotifications: shown });
  });
}
