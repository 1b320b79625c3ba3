import { apiUser } from '../api-user.ts';
import { expect, test } from '../console-test.ts';
import { makeScratchRepo } from '../scratch-repo.ts';

// Usual way: apps/web/test/session.spec.ts

test('lets one type in the middle of a search that the address follows', async ({ page, account: _, served }) => {
  using repo = makeScratchRepo();
  await apiUser(page.request, served.url).post('/repos', { url: repo.path });
  await page.goto('/repos?q=lues');
  const search = page.getByRole('searchbox', { name: 'Search by name or address' });
  await search.press('Home');
  await page.keyboard.type('va');
  await expect(search).toHaveValue('values');
  await expect(page).toHaveURL('/repos?q=values');
  await expect(page.getByRole('link', { name: 'values' })).toBeVisible();
});
