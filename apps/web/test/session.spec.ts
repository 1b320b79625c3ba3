import type { BrowserContext, Route } from '@playwright/test';
import { expect, logIn, register, test, UNAUTHORIZED } from './console-test.ts';
import { makeScratchRepo } from './scratch-repo.ts';
import { startIssue } from './start-issue.ts';

test('leads a page without a session to the login, and from there to that page', async ({ page, account, context }) => {
  await context.clearCookies();
  await page.goto('/repos?q=parser');
  await expect(page).toHaveURL(/\/login\?/);
  await expect(page.getByText('Session expired')).toBeHidden();
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByLabel('Password').press('Enter');
  await expect(page).toHaveURL('/repos?q=parser');
});

test.describe('a session that ends', () => {
  test.use({ allowedComplaints: [UNAUTHORIZED] });

  test('leads to the login and back to the same place, with what was typed', async ({
    page,
    account,
    served,
    context,
    otherBrowser,
  }) => {
    using repo = makeScratchRepo();
    const { id } = await startIssue(context.request, { url: served.url, path: repo.path });
    await page.goto(`/issues/${id}?view=plan`);
    await page.getByRole('button', { name: 'Remark on step 1' }).click();
    await page.getByLabel('Remark on step 1').fill('Not before Monday.');
    await logIn(otherBrowser, served.url, account);
    await endOtherSessions(otherBrowser, served.url);

    await expect(page.getByText('Session expired')).toBeVisible();
    await expect(page).toHaveURL(/\/login\?/);
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toContainText(/password/i);
    await expect(page.getByLabel('E-mail')).toHaveValue(account.email);
    await page.getByLabel('Password').fill(account.password);
    const compared = page.waitForResponse(/issues\.base/); // it reads the repository, which ends with this test
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(`/issues/${id}?view=plan`);
    await expect(page.getByLabel('Remark on step 1')).toHaveValue('Not before Monday.');
    await compared;
  });

  test('by logging out has not expired, and shows nothing to the next user', async ({ page, account: _ }) => {
    await page.goto('/settings');
    const keys = () => page.evaluate(() => [...Object.keys(sessionStorage), ...Object.keys(localStorage)]);
    await page.evaluate(() => sessionStorage.setItem('sluice.message.1', 'what was typed'));
    await page.getByRole('button', { name: 'Log out' }).click(); // reads that are under way may be refused
    await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
    await expect(page).toHaveURL('/login');
    await expect.poll(keys).not.toContain('sluice.message.1');
    await page.goBack();
    await expect(page).toHaveURL(/\/login\?/);
    await expect(page.getByText('Session expired')).toBeHidden();
  });

  test('is noticed on every page', async ({ page, account, served, otherBrowser }) => {
    for (const path of ['/issues', '/repos', '/settings']) {
      await logIn(page.context(), served.url, account);
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await logIn(otherBrowser, served.url, account);
      await endOtherSessions(otherBrowser, served.url);
      await expect(page.getByText('Session expired')).toBeVisible();
    }
  });
});

test('ends the other sessions after a question', async ({ page, account, served, context, browser }) => {
  for (const _ of ['second', 'third']) {
    await using other = await browser.newContext();
    await logIn(other, served.url, account);
  }
  await page.goto('/settings');
  const section = page.locator('#sessions');
  await section.getByRole('button', { name: 'End all others' }).click();
  const question = page.getByRole('dialog', { name: 'End all other sessions?' });
  await question.getByRole('button', { name: 'Back' }).click();
  await expect(question).toBeHidden();
  expect(await sessionCount(context, served.url)).toBe(3);
  await section.getByRole('button', { name: 'End all others' }).click();
  await question.getByRole('button', { name: 'End 2 sessions' }).click();
  await expect(question).toBeHidden();
  await expect(section.getByRole('listitem')).toHaveCount(1);
  expect(await sessionCount(context, served.url)).toBe(1);
});

test('unlinks the account at the code host after a question', async ({ page, account: _ }) => {
  let unlinked = 0;
  await page.route('**/api/trpc/auth.me*', async (route) => {
    await fulfillWith(route, (profile) => ({ ...profile, codehost_login: unlinked === 0 ? 'ann' : null }));
  });
  await page.route('**/api/trpc/server.get*', async (route) => {
    const codehost = { name: 'code.example', url: 'https://code.example' };
    await fulfillWith(route, ({ details, ...server }) => ({ ...server, details: { ...Object(details), codehost } }));
  });
  await page.route('**/api/trpc/auth.codehost.unlink*', async (route) => {
    unlinked += 1;
    await route.fulfill({ json: { result: {} } });
  });
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Unlink it' }).click();
  const question = page.getByRole('dialog', { name: 'Unlink your account at code.example?' });
  await question.getByRole('button', { name: 'Back' }).click();
  await expect(question).toBeHidden();
  expect(unlinked).toBe(0);
  await page.getByRole('button', { name: 'Unlink it' }).click();
  await question.getByRole('button', { name: 'Unlink it' }).click();
  await expect(page.getByText('Link your account at code.example')).toBeVisible();
  expect(unlinked).toBe(1);
});

test.describe('an account that cannot be made', () => {
  test.use({ allowedComplaints: [/the server responded with a status of 4\d\d/] });

  test('is explained in the form, which stays as it was typed', async ({ page, served, otherBrowser }) => {
    const { email } = await register(otherBrowser, served.url);
    await page.goto('/register');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Password').fill('a long enough passphrase');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await expect(page.getByRole('alert')).toContainText(/e-mail|account/i);
    await expect(page).toHaveURL('/register');
    await expect(page.getByLabel('E-mail')).toHaveValue(email);
  });
});

test.describe('a login at another name of the host', () => {
  test.use({ allowedComplaints: [/the server responded with a status of 403/] });

  test('is sent to the address of the console', async ({ page, served }) => {
    await page.route('**/api/trpc/auth.login*', async (route) => {
      const headers = { ...route.request().headers(), origin: 'http://sluice.lan:3000' };
      await route.fulfill({ response: await route.fetch({ headers }) });
    });
    await page.goto('/login');
    await page.getByLabel('E-mail').fill('ann@example.com');
    await page.getByLabel('Password').fill('a long enough passphrase');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toContainText('from a page at http://sluice.lan:3000');
    await expect(page.getByRole('alert')).toContainText(`Open Sluice at ${served.url}.`);
  });
});

/** Answers what the service does, with changes. */
async function fulfillWith(route: Route, change: (data: Record<string, unknown>) => object): Promise<void> {
  const response = await route.fetch();
  const { result } = await response.json();
  await route.fulfill({ response, json: { result: { data: change(result.data) } } });
}

async function sessionCount({ request }: BrowserContext, url: string): Promise<number> {
  const { items } = await (await request.get(`${url}/api/auth/sessions`)).json();
  return items.length;
}

/** Ends all sessions of the account but the one that asks. */
async function endOtherSessions({ request }: BrowserContext, url: string): Promise<void> {
  const { items } = await (await request.get(`${url}/api/auth/sessions`)).json();
  for (const { id, current } of items as { id: string; current: boolean }[]) {
    if (!current) expect((await request.delete(`${url}/api/auth/sessions/${id}`)).ok()).toBe(true);
  }
}
