import { apiUser } from '../api-user.ts';
import { expect, register, test } from '../console-test.ts';
import { makeScratchRepo } from '../scratch-repo.ts';
import { startIssue } from '../start-issue.ts';

// Usual way: apps/server/test/notes-and-budgets.test.ts

test('an admin of a repository raises its budget, and the issue that waited for it goes on', async ({
  page,
  context,
  served,
  account: _,
}) => {
  using repo = makeScratchRepo();
  const { id, repoId } = await startIssue(context.request, { url: served.url, path: repo.path });
  await page.goto(`/issues/${id}?view=plan`);
  // The plan's gate says what the rest takes, or why that is not known yet.
  await expect(page.getByText(/^(No estimate yet|Likely \$)/)).toBeVisible();

  await page.goto(`/repos/${repoId}`);
  const budget = page.getByRole('form', { name: 'Budget of the repository' });
  await budget.getByLabel('Tokens a month').fill('nothing');
  await budget.getByRole('button', { name: 'Set the budget of the repository' }).click();
  await expect(budget.getByText('Enter a number from 0')).toBeVisible();
  await budget.getByLabel('Tokens a month').fill('0');
  await budget.getByRole('button', { name: 'Set the budget of the repository' }).click();
  await expect(budget.getByText('The budget is set.')).toBeVisible();
  await expect(page.locator('#budget')).toContainText('Used up: no further model call begins');

  const user = apiUser(context.request, served.url);
  await user.post(`/issues/${id}/approve`, { action: 'approve' });
  await page.goto(`/issues/${id}`);
  await expect(page.getByText('The monthly budget of the repository is used up')).toBeVisible();
  await page.getByRole('link', { name: 'Raise the budget' }).click();
  await budget.getByLabel('Tokens a month').fill('5,000,000');
  await budget.getByRole('button', { name: 'Set the budget of the repository' }).click();
  await page.goto(`/issues/${id}`);
  await expect(page.getByText('Completed: the branch is pushed')).toBeVisible();
});

test('an operator sets the budgets of the server and of each user; others read their own', async ({
  page,
  serve,
  context,
  otherBrowser,
}) => {
  const { url } = await serve();
  await register(context, url); // the first one is an operator
  await page.goto(`${url}/admin#budgets`);
  const section = page.locator('#budgets');
  const server = section.getByRole('form', { name: 'Budget of this server' });
  await server.getByLabel('US dollars a month').fill('500');
  await server.getByRole('button', { name: 'Set the budget of this server' }).click();
  await expect(section).toContainText('This server: $0.00, 0 tokens; limit $500.00 (0 % used)');
  const each = section.getByRole('form', { name: 'Budget of each user' });
  await each.getByLabel('Tokens a month').fill('1000000');
  await each.getByRole('button', { name: 'Set the budget of each user' }).click();
  await expect(section).toContainText('Each user without a limit of their own: 1M tokens');

  await register(otherBrowser, url);
  const theirs = await otherBrowser.newPage();
  await theirs.goto(`${url}/settings#budgets`);
  await expect(theirs.locator('#budgets')).toContainText('You: $0.00, 0 tokens; limit 1M tokens (0 % used)');
});
