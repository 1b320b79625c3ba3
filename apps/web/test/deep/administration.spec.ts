import { expect, register, test } from '../console-test.ts';
import { serveConsole } from '../serve-console.ts';

// Usual way: packages/api/test/admin-users.test.ts

test('an operator lists and disables a user, invites another, and finds it all in the audit log', async ({
  page,
  context,
  serve,
  otherBrowser,
}) => {
  const { url } = await serve(() => serveConsole({ REGISTRATION: 'open' }));
  const operator = await register(context, url);
  const grace = await register(otherBrowser, url);
  await page.goto(`${url}/admin`);
  const users = page.locator('#users');
  await expect(users.getByRole('list', { name: 'Users' }).getByRole('listitem')).toHaveCount(2);
  await users.getByRole('textbox', { name: 'Search' }).fill(grace.email);
  await users.getByRole('button', { name: 'Search' }).click();
  await expect(users.getByRole('listitem')).toHaveCount(1);
  await users.getByRole('button', { name: `1 session, 0 tokens: ${grace.email}` }).click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Close' }).click();
  await users.getByRole('button', { name: `Disable: ${grace.email}` }).click();
  await page.getByRole('button', { name: 'Disable them' }).click();
  await expect(users.getByText('disabled', { exact: true })).toBeVisible();
  expect((await otherBrowser.request.get(`${url}/api/auth/me`)).status()).toBe(401);

  const invitations = page.locator('#invitations');
  await invitations.getByLabel('E-mail').fill('eve@example.com');
  await invitations.getByRole('button', { name: 'Invite' }).click();
  const link = (await invitations.getByText(/#invitation=/).textContent()) ?? '';
  await expect(invitations.getByRole('list').getByText('eve@example.com')).toBeVisible();
  await otherBrowser.clearCookies();
  const hers = await otherBrowser.newPage();
  await hers.goto(link);
  await expect(hers.getByText('You were invited.')).toBeVisible();
  await expect(hers.getByLabel('E-mail')).toHaveValue('eve@example.com');
  await hers.getByLabel('Password').fill('a long enough passphrase');
  await hers.getByRole('button', { name: 'Create an account' }).click();
  await expect(hers.getByRole('heading', { name: 'Inbox' })).toBeVisible();

  await page.goto(`${url}/admin/audit`);
  const log = page.getByRole('list', { name: 'Audit log' });
  await expect(log.getByText('accepted an invitation.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Account' }).fill(grace.email);
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(log.getByText('accepted an invitation.')).toBeHidden();
  const disabled = log.getByRole('listitem').filter({ hasText: 'disabled the account' });
  await expect(disabled).toContainText(operator.email);
  await expect(disabled).toContainText(`account ${grace.email}`);
  await page.getByRole('combobox', { name: 'Action' }).selectOption('account.registered');
  await expect(log.getByRole('listitem')).toHaveCount(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as JSON lines' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('audit.jsonl');
});

test.describe('a server that takes accounts by invitation only', () => {
  test.use({ allowedComplaints: [/status of 400/] });

  test('refuses a wrong link, and offers no registration without one', async ({
    page,
    context,
    serve,
    otherBrowser,
  }) => {
    const { url } = await serve(() => serveConsole({ REGISTRATION: 'invite', INVITATIONS: 'admins' }));
    await register(context, url);
    const hers = await otherBrowser.newPage();
    await hers.goto(`${url}/register#invitation=wrong&email=grace%40example.com`);
    await hers.getByLabel('Password').fill('a long enough passphrase');
    await hers.getByRole('button', { name: 'Create an account' }).click();
    await expect(hers.getByText('This invitation was used, has expired')).toBeVisible();
    await hers.goto(`${url}/login`);
    await expect(hers.getByRole('link', { name: 'Create one' })).toBeHidden();
    await page.goto(`${url}/admin`);
    const invitations = page.locator('#invitations');
    await expect(invitations.getByText('No open invitations.')).toBeVisible();
    await expect(invitations.getByRole('button', { name: 'Invite' })).toBeVisible();
  });
});
