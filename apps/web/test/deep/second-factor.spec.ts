import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expect, register, test, UNAUTHORIZED } from '../console-test.ts';
import { serveConsole } from '../serve-console.ts';

// Usual way: packages/api/test/second-factor.test.ts

// Passkeys belong to a name: an address has none.
const named = (url: string) => url.replace('127.0.0.1', 'localhost');

/** An authenticator in the browser, which agrees to everything that its user is asked. */
async function plugInAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function enterPassword(page: Page, url: string, account: { email: string; password: string }): Promise<void> {
  await page.goto(`${named(url)}/login`);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
}

test.describe('a second factor', () => {
  test.use({ allowedComplaints: [UNAUTHORIZED] });

  test('by passkey is added in the settings, and completes the login', async ({ page, served, otherBrowser }) => {
    const account = await register(otherBrowser, served.url);
    await plugInAuthenticator(page);
    await enterPassword(page, served.url, account);
    await expect(page).toHaveURL(/\/issues$/);
    await page.goto(`${named(served.url)}/settings`);
    const section = page.locator('#second-factor');
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Laptop');
    await dialog.getByLabel('Current password').fill(account.password);
    await dialog.getByRole('button', { name: 'Add the passkey' }).click();
    await expect(dialog.getByRole('listitem')).toHaveCount(10);
    await dialog.getByRole('button', { name: 'I have kept the codes' }).click();
    await expect(section.getByText('Laptop')).toBeVisible();
    await expect(section.getByText('10 recovery codes left.')).toBeVisible();
    await logOut(page);
    await enterPassword(page, served.url, account);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page).toHaveURL(/\/issues$/);
    await page.goto(`${named(served.url)}/settings`);
    await section.getByRole('button', { name: 'Remove Laptop' }).click();
    await dialog.getByLabel('Current password').fill(account.password);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(section.getByText('You have none')).toBeVisible();
  });

  test('by app is scanned from a QR code, and a recovery code stands in for it', async ({ page, account, served }) => {
    await page.goto('/settings');
    const section = page.locator('#second-factor');
    await expect(section.getByText('Passkeys work at http://localhost')).toBeVisible();
    await section.getByRole('button', { name: 'Add an authenticator app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current password').fill(account.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
    const secret = (await dialog.locator('code').first().textContent()) ?? '';
    const code = new TOTP({ secret }).generate();
    await dialog.getByLabel('Code', { exact: true }).fill(code);
    await dialog.getByRole('button', { name: 'Add the app' }).click();
    await expect(dialog.getByRole('listitem')).toHaveCount(10);
    const codes = await dialog.getByRole('listitem').allTextContents();
    await dialog.getByRole('button', { name: 'I have kept the codes' }).click();
    await logOut(page);
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('Code', { exact: true }).fill(code); // it was used to add the app
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toContainText('The code or the passkey is wrong');
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(`${served.url}/issues`);
  });

  test('that the server requires is set up before anything else', async ({ otherBrowser, serve }) => {
    const served = await serve(() => serveConsole({ SECOND_FACTOR: 'required' }));
    const page = await otherBrowser.newPage();
    await plugInAuthenticator(page);
    await page.goto(`${named(served.url)}/register`);
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password').fill('a long enough passphrase');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await expect(page.getByText('This server requires a second factor')).toBeVisible();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByLabel('Current password').fill('a long enough passphrase');
    await page.getByRole('button', { name: 'Add the passkey' }).click();
    await page.getByRole('button', { name: 'I have kept the codes' }).click();
    await expect(page).toHaveURL(/\/issues$/);
  });
});
