import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loginCodeOf } from '@sluice/core/account';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { beginSignIn, openBrowser, sessionOf, signInWithBrowser } from '../code-host-browser.ts';
import { aCodeHost, callbackOf, codehostEnvironment } from '../code-host-scene.ts';
import { signUp } from '../http-session.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/code-host-road.test.ts, apps/server/test/code-host-sign-in.test.ts

async function aScene() {
  const host = await aCodeHost();
  const server = await startScratchServer(codehostEnvironment(host));
  const browser = await openBrowser();
  host.allowRedirectTo(callbackOf(server.url));
  return {
    host,
    server,
    browser,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await server[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}

async function chooseAccount(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: login, exact: true }).click();
  await page.getByRole('heading', { name: 'Authorize' }).waitFor();
}

it('returns a person who denies access to the login page, without a session', async () => {
  await using scene = await aScene();
  const { server, browser } = scene;
  const page = await browser.newPage();
  await beginSignIn(page, server.url);
  await chooseAccount(page, 'ann');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(`${server.url}/login?error=*`);
  expect(new URL(page.url()).searchParams.get('error')).toBe('codehost_denied');
  expect((await (await sessionOf(page.context(), server.url)).call('GET', '/api/auth/me')).status).toBe(401);
});

it('links an account to the logged-in user across the redirects, and keeps the session', async () => {
  await using scene = await aScene();
  const { server, browser } = scene;
  const person = await signUp(server.url);
  const page = await browser.newPage();
  await page.context().addCookies([...person.cookies()].map(([name, value]) => ({ name, value, url: server.url })));
  const before = await page.context().cookies(server.url);
  await beginSignIn(page, server.url);
  await chooseAccount(page, 'ann');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.waitForURL(`${server.url}/settings?linked=codehost`);
  expect(await page.context().cookies(server.url)).toEqual(before);
  expect((await person.call('GET', '/api/auth/me')).body).toMatchObject({ codehost_login: 'ann' });
});

it('finishes sign-ins that were begun in two tabs, each in its own', async () => {
  await using scene = await aScene();
  const { server, browser } = scene;
  const context = await browser.newContext();
  const tabs = [await context.newPage(), await context.newPage()];
  for (const tab of tabs) await beginSignIn(tab, server.url);
  await chooseAccount(tabs[0] as Page, 'ann');
  for (const tab of tabs) await tab.reload();
  for (const tab of tabs.toReversed()) {
    await tab.getByRole('button', { name: 'Authorize' }).click();
    await tab.waitForURL(`${server.url}/issues`);
  }
  const { body } = await (await sessionOf(context, server.url)).call('GET', '/api/auth/me');
  expect(body).toMatchObject({ codehost_login: 'ann' });
});

it('rejects a callback in another browser, or a second time in the same one', async () => {
  await using scene = await aScene();
  const { server, browser } = scene;
  const page = await browser.newPage();
  const callbacks: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(callbackOf(server.url))) callbacks.push(request.url());
  });
  await signInWithBrowser(page, server.url, 'ann');
  const [callback = ''] = callbacks;
  const others = await browser.newContext();
  const other = await others.newPage();
  for (const tab of [other, page]) {
    await tab.goto(callback);
    expect(tab.url()).toMatch(/\/login\?error=codehost_state_invalid$/);
  }
  expect((await (await sessionOf(others, server.url)).call('GET', '/api/auth/me')).status).toBe(401);
});

it('grants a program access only after a click on the page that shows its code', async () => {
  await using scene = await aScene();
  const { server, browser } = scene;
  const brought: string[] = [];
  const program = createServer((request, response) => {
    brought.push(request.url ?? '');
    response.end('Thank you.');
  });
  program.listen(0, '127.0.0.1');
  await once(program, 'listening');
  const { port } = program.address() as AddressInfo;
  try {
    const page = await browser.newPage();
    await signInWithBrowser(page, server.url, 'ann'); // whom the code host asks nothing any more
    const challenge = randomBytes(32).toString('base64url');
    const address = `${server.url}/api/auth/codehost/cli?port=${port}&challenge=${challenge}&state=state-of-the-program`;
    await page.goto(address);
    await page.getByText(loginCodeOf(challenge), { exact: true }).waitFor();
    expect(await page.getByRole('status').evaluate((output) => getComputedStyle(output).display)).toBe('block');
    expect(brought).toEqual([]);

    const other = await browser.newPage();
    await other.route('http://evil.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>` }),
    );
    await other.goto('http://evil.test/');
    expect(await other.frames()[1]?.getByRole('button').count()).toBe(0);

    await page.getByRole('button', { name: 'continue' }).click();
    await page.getByText('Thank you.').waitFor();
    const [grant = ''] = brought.filter((url) => url.startsWith('/?'));
    expect(grant).toMatch(/^\/\?grant=[\w-]{43}&state=state-of-the-program$/);
  } finally {
    program.close();
    program.closeAllConnections();
  }
});
