import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { continueSession, type HttpSession } from './http-session.ts';

const PATIENCE_MS = 120_000; // tells of a hang, never of a busy machine

/** The distribution's Chromium. Its own sandbox refuses to run as root. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: PATIENCE_MS,
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  browser.newPage = async (options) => await (await browser.newContext(options)).newPage();
  return browser;
}

/**
 * Begins a sign-in where the page of the service would, and follows it to the code host in the same tab.
 *
 * @returns once the code host has shown its page, or sent the browser back
 */
export async function beginSignIn(page: Page, serviceUrl: string): Promise<void> {
  // The service has no pages: an empty one of its origin replaces the page with the button.
  await page.route(`${serviceUrl}/login`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Log in' }));
  await page.goto(`${serviceUrl}/login`);
  await Promise.all([
    page.waitForEvent('framenavigated'),
    page.evaluate(async () => {
      const answer = await fetch('/api/auth/codehost', { method: 'POST' });
      const { authorization_url } = await answer.json();
      setTimeout(() => location.assign(authorization_url)); // what leaves its page cannot say any more that it is done
    }),
  ]);
}

/** Goes through the whole sign-in as `login`, from the service to the code host and back. */
export async function signInWithBrowser(page: Page, serviceUrl: string, login: string): Promise<HttpSession> {
  await beginSignIn(page, serviceUrl);
  await page.getByRole('button', { name: login, exact: true }).click();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.waitForURL(`${serviceUrl}/issues`);
  return await sessionOf(page.context(), serviceUrl);
}

/** The browser's session, for calls that no page is needed for. */
export async function sessionOf(context: BrowserContext, serviceUrl: string): Promise<HttpSession> {
  const cookies = await context.cookies(`${serviceUrl}/api/auth/me`);
  return continueSession(serviceUrl, new Map(cookies.map(({ name, value }) => [name, value])));
}
