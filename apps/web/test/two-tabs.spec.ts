import type { Page } from '@playwright/test';
import { expect, logIn, test } from './console-test.ts';
import { FIX, makeScratchRepo } from './scratch-repo.ts';
import { startIssue } from './start-issue.ts';

const GUARDED = 'in `.github/workflows/test.yml` replace `nightly` with `weekly`';

const DEAF = '**/api/trpc/*events*';

test.describe('a decision that comes too late', () => {
  test.use({ allowedComplaints: [/status of 409|net::ERR_FAILED/] });

  test('shows who decided first, and keeps what was typed', async ({
    page,
    context,
    account,
    served,
    otherBrowser,
  }) => {
    using repo = makeScratchRepo();
    const { id } = await startIssue(context.request, {
      url: served.url,
      path: repo.path,
      body: `${FIX}\n\n${GUARDED}`,
    });
    await logIn(otherBrowser, served.url, account);
    const [second, elsewhere] = [await context.newPage(), await otherBrowser.newPage()];
    for (const tab of [page, second]) await tab.goto(`/issues/${id}?view=plan`);

    // One tab instructs while the second types. The third hears of nothing, and decides on what it shows.
    await second.getByRole('button', { name: 'Remark on step 1' }).click();
    await second.getByLabel('Remark on step 1').fill('Not before Monday.');
    await second.reload();
    await expect(second.getByLabel('Remark on step 1')).toHaveValue('Not before Monday.');
    await elsewhere.route(DEAF, (route) => route.abort());
    await elsewhere.goto(`/issues/${id}?view=plan`);
    await expect(elsewhere.getByRole('heading', { name: 'Plan revision 1' })).toBeVisible();
    await page.getByLabel('Instructions for the planner').fill('in `notes/first.txt` replace `two` with `2`');
    await page.getByRole('button', { name: /^Send 1 remark/ }).click();
    for (const tab of [page, second]) await expect(tab.getByRole('heading', { name: 'Plan revision 2' })).toBeVisible();
    await expect(second.getByText('Not before Monday.')).toBeVisible();
    await second.getByRole('button', { name: 'Take over' }).click();
    await expect(second.getByLabel('Instructions for the planner')).toHaveValue('Not before Monday.');
    await approve(elsewhere, 'Approve the plan');
    await expect(elsewhere.getByRole('heading', { name: 'Plan revision 2' })).toBeVisible();
    await elsewhere.unroute(DEAF); // who decided is in the events
    await expect(
      elsewhere.getByText(/You gave instructions on revision 1 of the plan .*, in another window/),
    ).toBeVisible();
    await elsewhere.getByRole('button', { name: 'Dismiss' }).click();

    // The third approves: every tab goes on by itself.
    await approve(elsewhere, 'Approve the plan');
    for (const tab of [page, second, elsewhere])
      await expect(tab.getByText('You approved revision 2 of the plan')).toBeVisible();
    await expect(second.getByText('Not before Monday.')).toBeVisible();

    // The change wants a decision too. Somebody who is about to take it sees that it was taken.
    await elsewhere.getByRole('link', { name: 'Read the change and decide' }).click();
    await elsewhere.getByRole('button', { name: /^Publish the change/ }).click();
    await expect(elsewhere.getByRole('dialog')).toBeVisible();
    await page.getByRole('link', { name: 'Read the change and decide' }).click();
    await approve(page, 'Publish the change');
    for (const tab of [page, second, elsewhere]) {
      await expect(tab.getByText('Completed: the branch is pushed')).toBeVisible();
      await expect(tab.getByText('You approved the change')).toBeVisible();
      await expect(tab.getByRole('dialog')).toBeHidden();
    }
    expect(repo.git('branch', '--list', 'sluice/*')).toContain('sluice/');
  });
});

test('@soak saves no template over those that another tab has saved, unless asked to', async ({
  page,
  context,
  account: _,
  served,
}) => {
  using scratch = makeScratchRepo();
  const added = await context.request.post(`${served.url}/api/repos`, { data: { url: scratch.path } });
  const { id } = await added.json();
  const stored = async () => {
    const { settings } = await (await context.request.get(`${served.url}/api/repos/${id}`)).json();
    return (settings.issue_templates as { name: string }[]).map(({ name }) => name);
  };
  const second = await context.newPage();
  for (const [tab, name] of [
    [page, 'Bug'],
    [second, 'Chore'],
  ] as const) {
    await tab.goto(`/repos/${id}`);
    await tab.getByRole('button', { name: 'Add a template' }).click();
    await tab.getByLabel('Name of the template').fill(name);
  }
  const save = { name: 'Save the templates' };
  await second.getByRole('button', save).click();
  await expect.poll(stored).toEqual(['Chore']);

  await page.getByRole('button', save).click();
  await expect(page.getByText('The templates were changed elsewhere since you began.')).toBeVisible();
  expect(await stored()).toEqual(['Chore']);
  await page.getByRole('button', { name: 'Load them' }).click();
  await expect(page.getByLabel('Name of the template')).toHaveValue('Chore');

  await page.getByLabel('Name of the template').fill('Bug');
  await second.getByLabel('Name of the template').fill('Task');
  await second.getByRole('button', save).click();
  await expect.poll(stored).toEqual(['Task']);
  await page.getByRole('button', save).click();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', save).click();
  await expect.poll(stored).toEqual(['Bug']);
});

test('clears the remarks that were sent, although the page was left before the answer', async ({
  page,
  context,
  served,
  account: _,
}) => {
  using repo = makeScratchRepo();
  const { id } = await startIssue(context.request, { url: served.url, path: repo.path });
  await page.goto(`/issues/${id}?view=plan`);
  const left = Promise.withResolvers<void>();
  await page.route('**/api/trpc/issues.approve*', async (route) => {
    const answer = await route.fetch();
    await left.promise;
    await route.fulfill({ response: answer });
  });
  await page.getByLabel('Instructions for the planner').fill('in `notes/first.txt` replace `two` with `2`');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('link', { name: 'Inbox' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
  const answered = page.waitForEvent('requestfinished', (request) => request.url().includes('issues.approve'));
  left.resolve();
  await answered;
  await page.getByRole('main').getByRole('link', { name: 'The value is broken' }).click();
  await page.getByRole('link', { name: 'Read the plan and decide' }).click();
  await expect(page.getByRole('heading', { name: 'Plan revision 2' })).toBeVisible();
  await expect(page.getByText('Not sent:')).toHaveCount(0);
});

async function approve(tab: Page, name: string): Promise<void> {
  await tab.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await tab.getByRole('dialog').getByRole('button', { name }).click();
}
