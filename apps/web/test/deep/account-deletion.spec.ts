import { TOTP } from 'otpauth';
import { apiUser } from '../api-user.ts';
import { expect, register, test, UNAUTHORIZED } from '../console-test.ts';
import { makeScratchRepo } from '../scratch-repo.ts';

// Usual way: packages/api/test/account-deletion.test.ts

test.describe('the deletion of an account', () => {
  // One pattern: Playwright takes a list of two for a value and its options.
  test.use({ allowedComplaints: [new RegExp(`${UNAUTHORIZED.source}|status of 403`)] });

  test('tells what becomes of things, asks for password and second factor, and leads to the login', async ({
    page,
    context,
    served,
    otherBrowser,
  }) => {
    using repo = makeScratchRepo();
    await register(otherBrowser, served.url); // the operator, where this is the first test of its service
    const grace = await register(otherBrowser, served.url);
    const account = await register(context, served.url);
    const api = apiUser(context.request, served.url);
    const { id } = await api.post('/repos', { url: repo.path });
    await api.post(`/repos/${id}/members`, { user: grace.email, role: 'admin' });
    const begun = await api.post('/auth/second-factors/totp', { current_password: account.password });
    const totp = new TOTP({ secret: begun.secret });
    const factor = { challenge: begun.challenge, name: 'Phone', code: totp.generate() };
    const { recovery_codes: codes } = await api.post('/auth/second-factors', factor);

    await page.goto('/settings#delete-account');
    const section = page.locator('#delete-account');
    await expect(section.getByRole('listitem')).toHaveCount(2);
    await expect(section.getByText('handed over to')).toContainText('with its 0 issues');
    await section.getByRole('button', { name: 'Delete my account…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill('a wrong password');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The current password is wrong');
    await dialog.getByLabel('Current password').fill(account.password);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
    await dialog.getByLabel('Recovery code').fill(codes[0]);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();

    expect((await context.request.get(`${served.url}/api/auth/me`)).status()).toBe(401);
    const hers = apiUser(otherBrowser.request, served.url);
    expect(await hers.get(`/repos/${id}`)).toMatchObject({ role: 'admin' });
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
  });
});
