import { apiUser } from '../api-user.ts';
import { test as base, expect } from '../console-test.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { expectStructure } from '../expect-structure.ts';
import { makeSampleRepo } from '../sample-repo.ts';
import { seedDone } from '../story/invoice-story.ts';
import { seedOutcomes } from '../story/outcome-story.ts';
import { openSeededDatabase } from '../story/seeded-database.ts';

// Usual way: packages/api/test/outcomes.test.ts

/** An issue whose pull request was closed, among others that were not. */
const test = base.extend<{ closed: string }>({
  closed: async ({ context, account: _, served }, use, { outputDir }) => {
    const user = apiUser(context.request, served.url);
    const { id: userId } = await user.get('/auth/me');
    const { id: repoId } = await user.post('/repos', { url: makeSampleRepo(outputDir) });
    using database = openSeededDatabase(served.dataDir);
    const issueId = seedDone(database, { userId, repoId });
    seedOutcomes(database, { repoId, issueId });
    database.change('issues', issueId, { change_request_number: 105, change_request_state: 'closed' });
    await use(issueId);
  },
});

test('the reason of a close is given by one click, shown, counted and changed', async ({ page, closed }) => {
  await page.goto(`/issues/${closed}?view=activity`);
  const question = page.getByRole('region', { name: 'Why was pull request #105 closed?' });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await expectStructure(question, 'close question');
  await question.getByLabel('Note').fill('In three parts, please.');
  await question.getByRole('button', { name: 'Too large' }).click();
  const answer = page.getByRole('region', { name: 'Why it was closed' });
  await expect(answer).toContainText('too large');
  await expect(answer).toContainText('In three parts, please.');
  await expect(page.getByText('Pull request #105 was closed: too large', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Outcomes' }).click();
  await expect(page.getByRole('row', { name: 'Too large 1' })).toBeVisible();
  await page.goto(`/issues/${closed}?view=activity`);
  await answer.getByRole('button', { name: 'Change the answer' }).click();
  await question.getByRole('button', { name: 'A duplicate' }).click();
  await expect(answer).toContainText('a duplicate');
});

test('outcomes are compared by what is chosen, which stands in the address, and downloaded', async ({
  page,
  closed: _,
}) => {
  await page.goto('/outcomes');
  await page.getByLabel('Compare by').selectOption('Model');
  await expect(page).toHaveURL('/outcomes?by=model');
  await expect(page.getByRole('rowheader', { name: 'another model' })).toBeVisible();
  await page.getByLabel('Opened').selectOption('Ever');
  await expect(page).toHaveURL(/period=all/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('outcomes.csv');
  await page.reload();
  await expect(page.getByLabel('Compare by')).toHaveValue('model');
});

test('a page without outcomes says what will be counted', async ({ page, account: _ }) => {
  await page.goto('/outcomes');
  await expect(page.getByRole('heading', { name: 'No pull request was opened' })).toBeVisible();
  await expectAccessible(page);
  await expectStructure(page.locator('#content'), 'no outcomes');
});
