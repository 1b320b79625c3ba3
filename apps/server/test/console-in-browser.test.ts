import { expect, it } from 'vitest';
import { openBrowser } from './code-host-browser.ts';
import { serveForeignPages } from './foreign-pages.ts';
import { startScratchServer } from './scratch-server.ts';

it('tells a page of another site why it cannot log in, and keeps the login of one of the same site', async () => {
  await using pages = await serveForeignPages();
  const origins = [pages.otherSite, pages.sameSite].map((url) => new URL(url).origin);
  await using server = await startScratchServer({ CORS_ORIGINS: origins.join() });
  const account = { email: 'ada@example.com', password: 'a long enough passphrase' };
  const made = await fetch(`${server.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  });
  expect(made.status).toBe(201);

  const browser = await openBrowser();
  const page = await browser.newPage();
  const signIn = async (from: string) => {
    await page.goto(from);
    return await page.evaluate(
      async ({ url, json }) => {
        const ask = async (path: string, body?: string) => {
          const given =
            body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
          const answer = await fetch(url + path, { credentials: 'include', ...given });
          return { status: answer.status, code: (await answer.json()).code };
        };
        return [await ask('/api/auth/login', json), await ask('/api/auth/me')];
      },
      { url: server.url, json: JSON.stringify(account) },
    );
  };
  expect(await signIn(pages.otherSite)).toEqual([
    { status: 403, code: 'cross_site_login' },
    { status: 401, code: 'session_missing' },
  ]);
  expect(await signIn(pages.sameSite)).toEqual([{ status: 200 }, { status: 200 }]);
  await browser.close();
});
