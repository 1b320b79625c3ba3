import { randomUUID } from 'node:crypto';
import { type BrowserContext, test as base, expect } from '@playwright/test';
import { type ServedConsole, serveConsole } from './serve-console.ts';

interface Account {
  readonly email: string;
  readonly password: string;
}

interface ForEachTest {
  /** The complaints that this test causes in the browser. */
  readonly allowedComplaints: readonly RegExp[];
  /** Starts a service of the test's own, which ends after its pages have. */
  readonly serve: (start?: () => Promise<ServedConsole>) => Promise<ServedConsole>;
  /** A new account, to which the browser is logged in. */
  readonly account: Account;
  /** Another browser, without a session. */
  readonly otherBrowser: BrowserContext;
}

interface ForEachWorker {
  /** An embedded service for all tests of a worker. A test that ends its service takes one from `serve`. */
  readonly served: ServedConsole;
}

/** What the browser logs by itself when the API answers 401. */
export const UNAUTHORIZED = /the server responded with a status of 401/;
/** What the browser logs by itself when the service is away, and React for a page that cannot be shown without it. */
export const UNREACHABLE = /net::ERR_|Failed to fetch/;

/**
 * Playwright's test over the real service. It fails when a page logs an error or a warning, throws, or breaks the content
 * security policy, also in other tabs of its context.
 */
export const test = base.extend<ForEachTest, ForEachWorker>({
  allowedComplaints: [[], { option: true }],
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are needed from the pattern
    async ({}, use) => {
      await using served = await serveConsole();
      await use(served);
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ served }, use) => await use(served.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are needed from the pattern
  serve: async ({}, use) => {
    await using started = new AsyncDisposableStack();
    await use(async (start = serveConsole) => started.use(await start()));
  },
  // It needs `serve` so that services end after it: a page complains of a stream that breaks off.
  context: async ({ context, allowedComplaints, serve: _ }, use) => {
    await useQuietly(context, allowedComplaints, use);
  },
  otherBrowser: async ({ browser, baseURL, allowedComplaints, serve: _ }, use) => {
    await using context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
    await useQuietly(context, allowedComplaints, use);
  },
  account: async ({ context, served }, use) => {
    await use(await register(context, served.url));
  },
});

export { expect };

/** Logs in over the API: a session of its own for the context. */
export async function logIn(context: BrowserContext, url: string, account: Account): Promise<void> {
  const answer = await context.request.post(`${url}/api/auth/login`, { data: account });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Registers a new person, to whose session the context then belongs. */
export async function register(context: Pick<BrowserContext, 'request'>, url: string): Promise<Account> {
  const account = { email: `${randomUUID()}@example.com`, password: 'a long enough passphrase' };
  const answer = await context.request.post(`${url}/api/auth/register`, { data: account });
  expect(answer.status(), await answer.text()).toBe(201);
  return account;
}

async function useQuietly(
  context: BrowserContext,
  allowed: readonly RegExp[],
  use: (context: BrowserContext) => Promise<void>,
): Promise<void> {
  const complaints = await recordComplaints(context);
  await use(context);
  // A page may ask again when its test has ended: what then stops in the middle is no fault.
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(complaints.filter((complaint) => !allowed.some((pattern) => pattern.test(complaint)))).toEqual([]);
}

async function recordComplaints(context: BrowserContext): Promise<string[]> {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (!['error', 'warning', 'assert'].includes(message.type())) return;
    complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (failed) => complaints.push(`uncaught: ${failed.error().message}`));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      console.error(`policy violated: ${effectiveDirective} ${blockedURI} ${sample}`);
    });
  });
  return complaints;
}
