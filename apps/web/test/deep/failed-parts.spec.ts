import { apiUser } from '../api-user.ts';
import { expect, register, test, UNREACHABLE } from '../console-test.ts';
import { FIX, makeScratchRepo } from '../scratch-repo.ts';
import { startIssue } from '../start-issue.ts';

// Usual way: apps/web/test/restart.spec.ts

test.describe('a dialog whose script does not load', () => {
  test.use({ allowedComplaints: [/net::ERR_FAILED|dynamically imported module/] });

  test('says so above the page, which stays, and is loaded again on demand', async ({ page, account: _ }) => {
    await page.goto('/settings');
    await page.getByLabel('Name', { exact: true }).fill('Not saved yet');
    const script = '**/assets/palette-*.js';
    await page.route(script, (route) => route.abort());
    await page.keyboard.press('Control+k');
    const fault = page.getByRole('dialog', { name: 'This did not open' });
    await expect(fault.getByRole('alert')).toContainText('could not be loaded');
    await fault.getByRole('button', { name: 'Close' }).click();
    await expect(fault).toBeHidden();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Not saved yet');

    await page.unroute(script);
    await page.keyboard.press('Control+k');
    await Promise.all([page.waitForEvent('load'), fault.getByRole('button', { name: 'Try again' }).click()]);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Search everything' })).toBeVisible();
  });
});

test.describe('a text whose renderer does not load', () => {
  test.use({ allowedComplaints: [/net::ERR_FAILED|dynamically imported module/] });

  test('is shown as it was written', async ({ page, account: _, served }) => {
    using scratch = makeScratchRepo();
    const { id } = await startIssue(page.request, { url: served.url, path: scratch.path });
    await page.route('**/assets/markdown-*.js', (route) => route.abort());
    await page.goto(`/issues/${id}?view=activity`);
    await page.getByRole('heading', { name: 'The issue', exact: true }).click();
    await expect(page.getByText(FIX)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'The value is broken' })).toBeVisible();
  });
});

test.describe('a page of what is not there or not theirs', () => {
  test.use({ allowedComplaints: [/the server responded with a status of 40[34]/] });

  test('leads to the list instead of trying again', async ({ page, account: _, served, otherBrowser }) => {
    using scratch = makeScratchRepo();
    await register(otherBrowser, served.url);
    const theirs = await otherBrowser.request.post(`${served.url}/api/repos`, { data: { url: scratch.path } });
    const { id } = await theirs.json();
    const absent = '019ac0de-0000-7000-8000-000000000001';
    for (const [path, title, list] of [
      [`/repos/${id}`, 'Not your repository', '/repos'],
      [`/repos/${absent}`, 'No such repository', '/repos'],
      [`/issues/${absent}`, 'No such issue', '/issues'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
      await page.getByRole('link', { name: /^Go to the (repositories|inbox)$/ }).click();
      await expect(page).toHaveURL(list);
    }
  });
});

test('names no repository on the page of an issue before its name is there', async ({ page, account: _, served }) => {
  using scratch = makeScratchRepo();
  const { id, repoId } = await startIssue(page.request, { url: served.url, path: scratch.path });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/trpc/repos.get*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/issues/${id}`);
  const facts = page.getByRole('main').locator('dl').first();
  await expect(facts).toContainText('Base branch');
  await expect(facts.getByRole('link')).toHaveCount(0);
  held.resolve();
  await expect(facts.locator(`a[href="/repos/${repoId}"]`)).toBeVisible();
});

test.describe('a page that the server did not answer', () => {
  test.use({ allowedComplaints: [UNREACHABLE] });

  test('is read again when the server is back', async ({ page, context, serve }) => {
    const own = await serve();
    await register(context, own.url);
    await page.goto(`${own.url}/settings`);
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible();
    const read = '**/api/trpc/repos.list*';
    await page.route(read, (route) => route.abort());
    await page.getByRole('link', { name: 'Repositories' }).click();
    await expect(page.getByRole('alert')).toContainText('The server cannot be reached');
    await own.kill();
    await expect(page.getByText('The connection to the server is lost.')).toBeVisible();
    await page.unroute(read);
    await own.restart();
    await expect(page.getByText('No repository yet')).toBeVisible();
    await expect(page.getByRole('alert')).toBeHidden();
  });

  test('@soak is so from its first load on', async ({ page, account: _ }) => {
    await page.route('**/api/trpc/**', (route) => route.abort());
    await page.goto('/settings');
    await expect(page.getByRole('alert')).toContainText('The server cannot be reached');
    await page.unroute('**/api/trpc/**');
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible();
  });
});

test.describe('a file that cannot be attached', () => {
  test.use({ allowedComplaints: [/the server responded with a status of 400/] });

  test('says why beside its field, and the note takes the next one', async ({ page, account: _, served }) => {
    using scratch = makeScratchRepo({ testSeconds: 120 });
    const user = apiUser(page.request, served.url);
    const { id } = await startIssue(page.request, { url: served.url, path: scratch.path });
    await user.until(id, 'awaiting_approval');
    await user.post(`/issues/${id}/approve`, { action: 'approve' });
    await page.goto(`/issues/${id}?view=activity`);
    const notes = page.getByRole('region', { name: 'Notes to the agent' });
    const files = notes.getByLabel('Attachments');
    const fault = notes.getByRole('alert');
    const give = (name: string, mimeType: string, buffer: Buffer) => files.setInputFiles({ name, mimeType, buffer });

    await give('drawing.svg', 'image/svg+xml', Buffer.from('<svg/>'));
    await expect(fault).toHaveText('drawing.svg: A file of this type cannot be attached.');
    await give('core.dump', '', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]));
    await expect(fault).toHaveText('core.dump: The file is empty, or is no text in UTF-8.');
    await give('day.log', 'text/plain', Buffer.alloc(11 << 20, 'a'));
    await expect(fault).toHaveText('day.log has 11 MiB, and at most 10 MiB can be attached.');

    await notes.getByLabel('Write to the agent').fill('Look at the log.');
    await give('hour.log', 'text/plain', Buffer.from('GET / 500'));
    await expect(notes.getByRole('list', { name: 'Attached files' })).toContainText('hour.log');
    await expect(fault).toBeHidden();
    await notes.getByRole('button', { name: 'Send' }).click();
    await expect(notes.getByText('Look at the log.')).toBeVisible();
    await expect(notes.getByRole('list', { name: 'Attached files' })).toBeHidden();
    const { items } = await user.get(`/issues/${id}/attachments`);
    expect(items).toMatchObject([{ name: 'hour.log', issue_id: id }]);
    expect((await page.request.delete(`/api/issues/${id}`)).status()).toBe(204);
  });
});
