import { expect, test } from './console-test.ts';

test.describe('a dialog whose script does not load', () => {
  test.use({ allowedComplaints: [/net::ERR_FAILED|dynamically imported module/] });

  test('says so above the page, which stays, and is loaded again on demand', async ({ page, account }) => {
    expect(account.email).toContain('@');
    await page.goto('/settings');
    await page.getByLabel('Name', { exact: true }).fill('Not saved yet');
    const script = '**/assets/palette-*.js';
    await page.route(script, (route) => route.abort());
    await page.keyboard.press('Control+k');
    const fault = page.getByRole('dialog', { name: 'This did not open' });
    await expect(fault.getByRole('alert')).toContainText('could not be loaded');
    await fault.getByRole('button', { name: 'Close' }).click();
    await expect(fault).toBeHidden();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Not saved yet');

    await page.unroute(script);
    await page.keyboard.press('Control+k');
    await Promise.all([page.waitForEvent('load'), fault.getByRole('button', { name: 'Try again' }).click()]);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Search everything' })).toBeVisible();
  });
});
