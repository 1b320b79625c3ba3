import { apiUser } from '../api-user.ts';
import { expect, register, test, UNAUTHORIZED } from '../console-test.ts';
import { makeScratchRepo } from '../scratch-repo.ts';
import { startIssue } from '../start-issue.ts';

// Usual way: apps/web/test/session.spec.ts

test('draws the page in a browser whose space for pages is used up', async ({ page, account }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('There is no space left.', 'QuotaExceededError');
    };
  });
  await page.goto('/settings');
  await expect(page.getByText(account.email).first()).toBeVisible();
  await page.getByLabel('Theme').selectOption('dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('draws the page in a browser that lets pages keep nothing', async ({ page, account: _ }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    }
  });
  await page.goto('/issues');
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
});

test.describe('several tabs', () => {
  // What a page asks for between the end of its session and the next one is refused.
  test.use({ allowedComplaints: [UNAUTHORIZED] });

  test('keep to the account that is logged in', async ({ page, context, served, account }) => {
    await page.goto('/settings');
    await expect(page.getByText(account.email).first()).toBeVisible();
    const another = await register(context, served.url);
    const other = await context.newPage();
    await other.goto('/issues');
    await expect(page.getByText(another.email).first()).toBeVisible();
    await expect(page.getByText(account.email)).toHaveCount(0);
  });

  test('go on from the login where the user was, once they log in in one of them', async ({
    page,
    context,
    served,
  }) => {
    await page.goto('/settings');
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
    const { email } = await register(context, served.url);
    const other = await context.newPage();
    await other.goto('/issues');
    await expect(page.getByText(email).first()).toBeVisible();
    await expect(page).toHaveURL('/settings');
  });
});

test.describe('a log-out that fails', () => {
  test.use({ allowedComplaints: [/status of 503/] });

  test('is reported when it was asked for by the palette', async ({ page, account: _ }) => {
    await page.goto('/issues');
    await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
    await page.route('**/auth.logout*', (route) => route.fulfill({ status: 503, body: 'away' }));
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('Log out');
    await page.getByRole('option', { name: 'Log out' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
  });
});

test('leaves connections to the server free, however many windows show issues at their gates', async ({
  page,
  context,
  account: _,
  served,
}) => {
  using scratch = makeScratchRepo();
  const { id } = await startIssue(context.request, { url: served.url, path: scratch.path });
  await apiUser(context.request, served.url).until(id, 'awaiting_approval');
  const windows = [page, await context.newPage(), await context.newPage(), await context.newPage()];
  for (const window of windows) {
    await window.goto(`/issues/${id}`);
    await expect(window.getByRole('button', { name: 'Approve the plan' })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Approve the plan' }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: /^Approve/ })
    .click();
  await expect(page.getByText('You approved revision 1 of the plan')).toBeVisible();
});

test.describe('a page whose start failed', () => {
  test.use({ allowedComplaints: [/status of 500|not from a Sluice server/] });

  test('is shown when it is tried again', async ({ page, account: _ }) => {
    const server = '**/api/trpc/server.get*';
    await page.route(server, (route) => route.fulfill({ status: 500, body: 'broken' }));
    await page.goto('/issues');
    await expect(page.getByRole('heading', { level: 1, name: 'This page failed' })).toBeVisible();
    await page.unroute(server);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
  });
});

test.describe('a search of the palette that fails', () => {
  test.use({ allowedComplaints: [/status of 500/] });

  test('is no search without a match, and can be tried again', async ({ page, account: _ }) => {
    const search = /issues\.list.*zzzz/;
    await page.goto('/issues');
    await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
    await page.route(search, (route) => route.fulfill({ status: 500, body: 'broken' }));
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.getByRole('combobox').fill('zzzz');
    await expect(palette.getByRole('alert')).toBeVisible();
    await expect(palette.getByText('Nothing matches')).toHaveCount(0);
    await page.unroute(search);
    await palette.getByRole('button', { name: 'Try again' }).click();
    await expect(palette.getByText('Nothing matches')).toBeVisible();
  });
});

test('keeps the last of two preferences, however late the first is answered', async ({ page, context, account: _ }) => {
  await page.goto('/settings');
  let requests = 0;
  const second = Promise.withResolvers<void>();
  await page.route('**/auth.preferences.update*', async (route) => {
    requests += 1;
    const isFirst = requests === 1;
    const answer = await route.fetch();
    if (isFirst) await second.promise;
    await route.fulfill({ response: answer });
  });
  const theme = page.getByLabel('Theme');
  await theme.selectOption('dark');
  await expect.poll(() => requests).toBe(1);
  await theme.selectOption('light');
  second.resolve(); // changed again before the first answer
  await expect.poll(() => requests).toBe(2);
  await expect(theme).toHaveValue('light');
  const kept = async () => (await context.request.get('/api/auth/preferences')).json();
  await expect.poll(kept).toMatchObject({ theme: 'light' });
  await expect(theme).toHaveValue('light');
});
