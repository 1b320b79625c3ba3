import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { beginSignIn, openBrowser, sessionOf, signInWithBrowser } from './codehost-browser.ts';
import { aCodeHost, callbackOf, codehostEnvironment } from './codehost-scene.ts';
import { signUp } from './http-session.ts';
import { startScratchServer } from './scratch-server.ts';

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

it('brings a person who says no back to the log-in page, without a session', async () => {
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

it('links an account to who is logged in, over the way through another site, and leaves the session as it is', async () => {
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

it('takes no callback into another browser, nor a second time into the same one', async () => {
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
