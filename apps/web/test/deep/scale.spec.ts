import { apiUser } from '../api-user.ts';
import { test as base, expect } from '../console-test.ts';
import { makeSampleRepo } from '../sample-repo.ts';
import { manyLines, seedLargeChange, seedLongHistory } from '../story/long-story.ts';
import { openSeededDatabase, type SeededDatabase } from '../story/seeded-database.ts';

// Usual way: apps/web/test/log.spec.ts

interface Owner {
  readonly database: SeededDatabase;
  readonly ids: { readonly userId: string; readonly repoId: string };
}

const test = base.extend<{ owner: Owner }>({
  owner: async ({ context, account: _, served }, use, { outputDir }) => {
    const user = apiUser(context.request, served.url);
    const { id: userId } = await user.get('/auth/me');
    const { id: repoId } = await user.post('/repos', { url: makeSampleRepo(outputDir) });
    using database = openSeededDatabase(served.dataDir);
    await use({ database, ids: { userId, repoId } });
  },
});

test('@soak a history of 30,000 events is read whole, searched, filtered and linked to', async ({ page, owner }) => {
  const id = seedLongHistory(owner.database, owner.ids, 30_000);
  await page.goto(`/issues/${id}?view=activity`);
  const stages = page.getByRole('button', { name: /^Implement/ });
  await expect(stages.first()).toBeVisible();
  await expect(page.getByText('Loading the history')).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search the events' }).fill('round 60 turn 248:');
  await expect(page.getByRole('status').filter({ hasText: 'event' })).toHaveText(/^1 event/);
  await expect(page.getByText('src/module-60/file-248.ts')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the events' }).fill('');
  await page.getByRole('button', { name: 'Failures' }).click();
  await expect(page.getByText(/src\/module-\d+\/file-(50|100|150|200)\.ts/).first()).toBeVisible();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.goto(`/issues/${id}?view=activity&event=15000`);
  await expect(page.getByText(/src\/module-3[01]\/file-\d+\.ts/).first()).toBeVisible();
});

test('@soak a change of 10,000 lines is scrolled to its end and searched, and no line is blank', async ({
  page,
  owner,
}) => {
  const id = seedLargeChange(owner.database, owner.ids, 10_000);
  await page.goto(`/issues/${id}?view=diff`);
  await expect(page.getByText('50 files').first()).toBeVisible();
  const table = page.getByRole('table', { name: 'Changed lines' });
  await expect(table).toHaveAttribute('aria-rowcount', /^\d{4,5}$/);
  await page.getByRole('searchbox').fill('compute(49, 198,');
  await page.getByRole('searchbox').press('Enter');
  await expect(table.getByText('compute(49, 198,').first()).toBeVisible();
  await page.getByRole('searchbox').fill('');
  for (let step = 0; step < 40; step += 1) {
    await page.mouse.wheel(0, -4_000);
    // What is painted last after a jump is there at the latest in the next frames.
    await expect.poll(() => page.evaluate(blankPlaces)).toEqual([]);
  }
});

/** Places down the middle of the window, within the diff, at which no row is drawn. */
function blankPlaces(): number[] {
  const table = document.querySelector('[role=table]');
  const box = table?.getBoundingClientRect();
  if (table === null || box === undefined) return [-1];
  const top = Math.max(box.top, 0) + 80;
  const bottom = Math.min(box.bottom, innerHeight) - 20;
  const blank: number[] = [];
  for (let y = top; y < bottom; y += 24) {
    const at = document.elementsFromPoint(box.left + box.width / 2, y);
    if (!at.some((element) => element.closest('[role=row], header') !== null)) blank.push(y);
  }
  return blank.length > 2 ? blank : []; // gaps between files are meant
}

test('@soak 100,000 lines that arrive at 2,000 a second are counted and shown to the last', async ({
  page,
  owner,
  served,
}) => {
  const user = apiUser(page.request, served.url);
  await user.patch(`/repos/${owner.ids.repoId}`, { test_command: manyLines(100_000) });
  const issue = await user.post('/issues', { repo_id: owner.ids.repoId, title: 'Count', body: 'Print many lines.' });
  await page.goto(`/issues/${issue.id}?view=log`);
  await expect(page.getByRole('link', { name: /^Link to line \d{4,5}$/ }).first()).toBeVisible();
  await user.until(issue.id, 'awaiting_approval', 'failed');
  await expect(page.getByRole('link', { name: 'Link to line 100000' })).toBeVisible(); // it follows the output
  await page.getByRole('region', { name: 'Output' }).press('Home');
  await expect(page.getByText('100,000 lines')).toBeVisible();
});
