import { type MailServer, startMailServer } from '@sluice/testing';
import { expect, register, test, UNAUTHORIZED } from '../console-test.ts';
import { serveConsole } from '../serve-console.ts';

// Usual way: packages/api/test/account-links.test.ts

/** The address in the newest e-mail of that subject. */
async function linkIn(mail: MailServer, subject: string): Promise<string> {
  const newest = () => mail.mails.findLast((one) => one.includes(`Subject: ${subject}`)) ?? '';
  await expect.poll(newest).not.toBe('');
  const found = newest();
  return /https?:\/\/\S+#token=[\w-]+/.exec(found.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))?.[0] ?? '';
}

test.describe('a link in an e-mail', () => {
  // One pattern: Playwright takes a list of two for a value and its options.
  test.use({ allowedComplaints: [new RegExp(`${UNAUTHORIZED.source}|status of 400`)] });

  test('resets a forgotten password, and verifies the address at a click', async ({ page, otherBrowser, serve }) => {
    await using mail = await startMailServer();
    const served = await serve(() => serveConsole({ SMTP_URL: mail.url, SMTP_FROM: 'Sluice <sluice@example.com>' }));
    const { email } = await register(otherBrowser, served.url);

    await page.goto(`${served.url}/login`);
    await page.getByRole('link', { name: 'Forgotten your password?' }).click();
    // The login stays until the code of the next page is there, and has a field of the same name.
    await expect(page.getByRole('heading', { level: 1, name: 'Forgotten password' })).toBeVisible();
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByText('If an account has this e-mail, a link is on its way.')).toBeVisible();

    await page.goto(await linkIn(mail, 'Reset your password'));
    await expect(page.getByRole('heading', { level: 1, name: 'Choose a new password' })).toBeVisible();
    await expect(page).toHaveURL(`${served.url}/reset-password`); // the secret has left the address
    await page.getByLabel('New password').fill('a staple of batteries');
    await page.getByRole('button', { name: 'Set the new password' }).click();
    await expect(page.getByText('The password is set, and all your sessions have ended.')).toBeVisible();
    expect((await otherBrowser.request.get(`${served.url}/api/auth/me`)).status()).toBe(401);

    await page.getByRole('link', { name: 'Back to the login' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('a staple of batteries');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(`${served.url}/issues`);
    await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();

    await page.goto(await linkIn(mail, 'Verify your e-mail address'));
    await page.getByRole('button', { name: 'This address is mine' }).click();
    await expect(page.getByText('Your e-mail address is verified.')).toBeVisible();
    await page.goto(`${served.url}/settings`);
    await expect(page.getByText('The address is verified.')).toBeVisible();
  });

  test('that was used says what to do', async ({ page, serve }) => {
    await using mail = await startMailServer();
    const served = await serve(() => serveConsole({ SMTP_URL: mail.url, SMTP_FROM: 'Sluice <sluice@example.com>' }));
    await page.goto(`${served.url}/verify-email#token=${'x'.repeat(43)}`);
    await page.getByRole('button', { name: 'This address is mine' }).click();
    await expect(page.getByRole('alert')).toContainText('Ask for another one');
  });
});
