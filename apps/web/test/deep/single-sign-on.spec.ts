import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort } from '@sluice/testing';
import { Provider } from 'oidc-provider';
import { expect, test, UNAUTHORIZED } from '../console-test.ts';

import { type ServedConsole, serveConsole } from '../serve-console.ts';

// Usual way: packages/api/test/oidc-sign-in.test.ts

interface RunningProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Groups of the next sign-in. */
  groups: string[];
}

const SECRET = 'a-secret-of-the-client-for-tests-only';

/** A certified OpenID provider with its own login and consent pages, for one client. */
async function startProvider(redirectTo: string): Promise<RunningProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running = { groups: ['dev'] };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'sluice',
        client_secret: SECRET,
        redirect_uris: [`${redirectTo}/api/auth/oidc/company/callback`],
        post_logout_redirect_uris: [`${redirectTo}/login`],
        backchannel_logout_uri: `${redirectTo}/api/auth/oidc/company/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: {
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      devInteractions: { enabled: true },
    },
    pkce: { required: () => true },
    // By itself it sends nothing to this machine, where the service of the test is.
    fetch: (url, options = {}) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: sub, email: `${sub}@example.com`, email_verified: true, groups: running.groups }),
    }),
  });
  server.on('request', provider.callback());
  return Object.assign(running, {
    issuer,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

/** The service with that provider; its address has to be known to both before they start. */
async function serveWithProvider(provider: RunningProvider, url: URL, dir: string): Promise<ServedConsole> {
  const path = join(dir, 'oidc.json');
  const company = {
    id: 'company',
    name: 'Example Company',
    issuer: provider.issuer,
    client_id: 'sluice',
    client_secret: SECRET,
    scopes: ['openid', 'email', 'profile', 'groups'],
    allowed_groups: ['dev'],
    operator_groups: ['ops'],
  };
  writeFileSync(path, JSON.stringify({ providers: [company] }));
  return await serveConsole({ OIDC_PROVIDERS: path, PASSWORDS: 'off' }, url.port);
}

/** The pages of the provider: who one is, and whether Sluice may know. */
async function logInAtProvider(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test.describe('single sign-on', () => {
  // The provider's own pages ask for a font and an icon that are not here, and the only way to log in stays.
  test.use({
    allowedComplaints: [
      new RegExp(`${UNAUTHORIZED.source}|fonts\\.googleapis\\.com|favicon\\.ico|auth\\.oidc\\.unlink`),
    ],
  });

  test('logs in at a real provider by the whole code flow, and out by its back channel', async ({
    page,
    serve,
  }, testInfo) => {
    const url = new URL(`http://127.0.0.1:${await freePort()}`);
    await using provider = await startProvider(url.origin);
    const served = await serve(() => serveWithProvider(provider, url, testInfo.outputPath('.')));

    await page.goto(`${served.url}/login`);
    await expect(page.getByRole('button', { name: 'Continue with Example Company' })).toBeVisible();
    await expect(page.getByLabel('Password')).toHaveCount(0);
    await page.getByRole('button', { name: 'Continue with Example Company' }).click();
    await logInAtProvider(page, 'ada');
    await expect(page).toHaveURL(`${served.url}/issues`);
    const me = await (await page.request.get(`${served.url}/api/auth/me`)).json();
    expect(me).toMatchObject({ email: 'ada@example.com', name: 'ada', operator: false });

    // Groups count at the next sign-in; the provider knows the browser, and asks nothing.
    provider.groups = ['dev', 'ops'];
    await page.request.post(`${served.url}/api/auth/logout`);
    await page.goto(`${served.url}/login`);
    await page.getByRole('button', { name: 'Continue with Example Company' }).click();
    await expect(page).toHaveURL(`${served.url}/issues`);
    expect(await (await page.request.get(`${served.url}/api/auth/me`)).json()).toMatchObject({
      id: me.id,
      operator: true,
    });

    await page.goto(`${served.url}/settings`);
    await expect(page.getByText('Your account at Example Company is linked.')).toBeVisible();
    await page.getByRole('button', { name: 'Unlink Example Company…' }).click();
    await page.getByRole('button', { name: 'Unlink it', exact: true }).click();
    await expect(page.getByRole('alert').first()).toContainText('only way to log in');
    await page.keyboard.press('Escape');

    // The provider reports its logout by its back channel, and the open page is without a session within a second.
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(`${provider.issuer}/session/end?client_id=sluice`);
    await elsewhere.getByRole('button', { name: 'Yes, sign me out' }).click();
    await expect
      .poll(async () => (await page.request.get(`${served.url}/api/auth/me`)).status(), { timeout: 5_000 })
      .toBe(401);
    await elsewhere.close();

    provider.groups = [];
    await page.goto(`${served.url}/login`);
    await page.getByRole('button', { name: 'Continue with Example Company' }).click();
    await logInAtProvider(page, 'ada');
    await expect(page.getByText('is in no group that may use this server')).toBeVisible();
  });
});
