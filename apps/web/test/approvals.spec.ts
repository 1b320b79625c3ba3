import { expect, register, test } from './console-test.ts';
import { FIX, makeScratchRepo } from './scratch-repo.ts';
import { startIssue } from './start-issue.ts';

test('asks two people for their approval, and says who has given one and who may not', async ({
  page,
  context,
  account: _,
  served,
  otherBrowser,
}) => {
  using repo = makeScratchRepo();
  const grace = await register(otherBrowser, served.url);
  const { id, repoId } = await startIssue(context.request, { url: served.url, path: repo.path, body: FIX });
  const json = { user: grace.email, role: 'approver' };
  expect((await context.request.post(`${served.url}/api/repos/${repoId}/members`, { data: json })).status()).toBe(200);

  await page.goto(`/repos/${repoId}`);
  const settings = page.locator('#settings');
  await settings.getByLabel('Approvals of a plan').selectOption('2');
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(settings.getByText('Saved')).toBeVisible();

  await page.goto(`/issues/${id}?view=plan`);
  await expect(page.getByText('0 of 2 approvals')).toBeVisible();
  await page.getByRole('button', { name: /^Approve the plan/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Nothing begins before another person has approved it too.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Approve the plan' }).click();
  await expect(page.getByText(/^1 of 2 approvals: /)).toBeVisible();
  await expect(page.getByText('You have approved: another person has to approve it too.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Approve the plan/ })).toBeDisabled();
  await page.goto('/issues');
  await expect(page.getByRole('region', { name: 'Waits for others' }).getByRole('link')).toHaveCount(1);

  const hers = await otherBrowser.newPage();
  await hers.goto(`/issues/${id}?view=plan`);
  await hers.getByRole('button', { name: /^Approve the plan/ }).click();
  await hers.getByRole('dialog').getByRole('button', { name: 'Approve the plan' }).click();
  await expect(hers.getByText('You approved revision 1 of the plan')).toBeVisible();
  await page.goto(`/issues/${id}`);
  await expect(page.getByText('Completed: the branch is pushed')).toBeVisible();
});
