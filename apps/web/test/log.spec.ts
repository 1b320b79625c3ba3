import { readFileSync } from 'node:fs';
import { apiUser } from './api-user.ts';
import { expect, test } from './console-test.ts';
import { makeSampleRepo } from './sample-repo.ts';
import { openSeededDatabase } from './story/seeded-database.ts';
import { seedIssue } from './story/seeded-issue.ts';

test('output that was left out has a row that says how much, and the lines behind it keep their numbers', async ({
  page,
  account: _,
  served,
}, { outputDir }) => {
  const user = apiUser(page.request, served.url);
  const { id: userId } = await user.get('/auth/me');
  const { id: repoId } = await user.post('/repos', { url: makeSampleRepo(outputDir) });
  const issue = seedIssue({ userId, repoId, title: 'A long output', body: 'Of one command.', at: Date.now() - 60_000 });
  const run = issue.event('command.started', { command: 'make' });
  issue.output('make', 'ok 1\nok 2\n');
  issue.leaveOut('make', { characters: 4_800, lines: 600 });
  issue.output('make', 'ok 603\nnot ok 604\n');
  issue.event('command.finished', { command: 'make', exit_code: 1, duration_ms: 900, text: 'not ok 604\n' });
  issue.status('failed', 'test');
  using database = openSeededDatabase(served.dataDir);
  issue.write(database, { error: { stage: 'test', detail: 'The tests fail.' } });

  await page.goto(`/issues/${issue.id}?view=log`);
  const output = page.getByRole('region', { name: 'Output' });
  const gap = output.getByText('600 lines (4,800 characters) left out');
  await expect(gap).toBeVisible();
  await expect(output.getByRole('link', { name: /^Link to line/ })).toHaveText(['1', '2', '603', '604']);
  await page.getByRole('searchbox').fill('not ok');
  await expect(output.locator('mark')).toHaveText(['not ok']);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect(readFileSync(await (await saving).path(), 'utf8')).toMatch(/^ok 1\nok 2\n.*ok 603\nnot ok 604\n$/s);

  // An address of a line that is not there leads to where it would be, one behind it to the line.
  const marked = output.locator('[data-marked]');
  await page.goto(`/issues/${issue.id}?view=log&event=${run}#L300`);
  await expect(marked).toContainText('left out');
  await page.goto(`/issues/${issue.id}?view=log&event=${run}#L603`);
  await expect(marked).toContainText('ok 603');
});
