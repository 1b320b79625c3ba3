import { expect, test } from './console-test.ts';
import { HOSTED, serveHosted, signInHosted } from './hosted-world.ts';

test('@soak an issue to import is found by its title, also beyond the pages that were read, and stays chosen', async ({
  page,
  context,
  serve,
}, { outputDir }) => {
  const world = await serveHosted(outputDir);
  await serve(async () => world);
  for (let one = 1; one <= 50; one += 1) world.host.openIssue(HOSTED, { title: `Report ${one}`, by: 'bea' });
  const { repoId } = await signInHosted(context, world);
  await page.goto(`${world.url}/repos/${repoId}/import`);
  const issues = page.locator('#content').getByRole('listitem');
  await expect(issues).toHaveCount(50);

  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.fill('report 17');
  await page.getByRole('checkbox', { name: / Report 17$/ }).check();
  await search.fill('danish'); // older than the fifty that were read
  await expect(page).toHaveURL(/[?]q=danish$/);
  await expect(issues).toHaveText([/ Print invoices in Danish/]);
  await expect(issues.getByText('no write access')).toBeVisible();
  await issues.getByRole('checkbox').check();
  await search.fill('nothing of the kind');
  await expect(page.getByText(/^No issue matches/)).toBeVisible();
  await expect(issues).toHaveCount(0);

  await search.fill('');
  await page.getByRole('checkbox', { name: 'Start them' }).uncheck();
  await page.getByRole('button', { name: 'Import 2 issues' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'imported' })).toContainText('2 issues imported.');
  await page.getByRole('link', { name: 'Go to the inbox' }).click();
  await expect(page.getByRole('link', { name: 'Print invoices in Danish' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Report 17' })).toBeVisible();
});
