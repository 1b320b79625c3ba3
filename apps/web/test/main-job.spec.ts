import { basename } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './console-test.ts';
import { FIX, makeScratchRepo } from './scratch-repo.ts';
import { serveConsoleWithServices } from './serve-console.ts';

test('takes a new person from their account to a tested branch', async ({ page, served }) => {
  await doMainJob(page, served.url);
});

test('@soak does so with Postgres and Redis', async ({ page, serve }) => {
  const { url } = await serve(serveConsoleWithServices);
  await doMainJob(page, url);
});

async function doMainJob(page: Page, url: string): Promise<void> {
  using repo = makeScratchRepo({ testSeconds: 1 });
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  const main = page.getByRole('main');
  const state = page.getByRole('region', { name: 'State' });
  const activity = page.getByRole('region', { name: 'Activity' });

  // An account, a repository, an issue.
  await page.goto(`${url}/register`);
  await page.getByLabel('E-mail').fill(`${basename(repo.path)}.${Date.now()}@example.com`);
  await page.getByLabel('Password').fill('a long enough passphrase');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await main.getByRole('link', { name: 'Add a repository' }).click();
  await page.getByLabel('Address').fill(repo.path);
  await page.getByRole('button', { name: 'Add the repository' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('values');
  await page.getByRole('link', { name: 'Inbox' }).click();
  await main.getByRole('link', { name: 'Write the first issue' }).click();
  await page.getByLabel('Title').fill('The value is broken');
  await page.getByLabel('Description').fill(FIX);

  // A picture is chosen, a log is dropped and another one pasted, and that one is removed again.
  const attached = page.getByRole('list', { name: 'Attached files' });
  const drawn = await page.evaluate(() =>
    Object.assign(document.createElement('canvas'), { width: 60, height: 40 }).toDataURL('image/png'),
  );
  const picture = Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64');
  await page.getByLabel('Attachments').setInputFiles({ name: 'screen.png', mimeType: 'image/png', buffer: picture });
  await expect(attached).toContainText('screen.png');
  await giveFile(page, 'drop', { name: 'server.log', text: 'GET / 500' });
  await expect(attached).toContainText('server.log');
  await giveFile(page, 'paste', { name: 'other.log', text: 'nothing' });
  await page.getByRole('button', { name: 'Remove other.log' }).press('Enter');
  await expect(attached.getByRole('listitem')).toHaveText([/^screen\.png/, /^server\.log/]);
  await page.getByRole('button', { name: 'Create the issue' }).click();

  await page.getByRole('group').filter({ hasText: 'The issue' }).locator('summary').first().click();
  const shown = page.getByRole('region', { name: 'Attachments' });
  const width = () =>
    shown.getByRole('img', { name: 'screen.png' }).evaluate((img: HTMLImageElement) => img.naturalWidth);
  await expect.poll(width).toBe(60);
  await expect(shown.getByRole('link', { name: 'server.log' })).toBeVisible();

  // The page goes on by itself until it needs a person.
  await expect(page.getByRole('heading', { level: 1, name: 'The value is broken' })).toBeVisible();
  await expect(activity.getByRole('button', { name: /^Completed Plan|Plan.*planner/ })).toBeVisible();
  await expect(state).toContainText('Waits for you: decide on the plan');
  await expect(state).toContainText('$0.00');
  await expect(page).toHaveTitle(/^\(1\) /);

  // A remark on a step leads to a second revision, which says what has changed.
  await page.getByRole('link', { name: 'Read the plan and decide' }).click();
  await expect(page.getByRole('list', { name: 'Files of step 1' })).toContainText('value.txt');
  await page.getByRole('button', { name: 'Remark on step 1' }).click();
  await page.getByLabel('Remark on step 1').fill('The notes too:\n\nin `notes/first.txt` replace `two` with `2`');
  await page
    .getByRole('button', { name: 'Attachments' })
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('two') });
  await expect(attached).toContainText('notes.txt');
  await page.getByRole('button', { name: /^Send 1 remark/ }).click();
  await expect(shown.getByRole('link', { name: 'notes.txt' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Plan revision 2' })).toBeVisible();
  await expect(state).toContainText('Waits for you: decide on revision 2 of the plan');
  const changes = page.getByRole('group').filter({ hasText: 'What changed since revision 1' });
  await expect(changes.getByRole('insertion').filter({ hasText: 'notes/first.txt' }).first()).toBeVisible();

  // Approved, it is carried out, tested, reviewed and published, and all of that is seen.
  await page.getByRole('button', { name: /^Approve the plan/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve the plan' }).click();
  await expect(page.getByText('You approved revision 2 of the plan')).toBeVisible();
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await expect(state).toContainText('Running the tests');
  await expect(state).toContainText('Completed: the branch is pushed');
  for (const stage of ['Implement', 'Test', 'Review', 'Publish'])
    await expect(
      activity
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`${stage}\\b`) })
        .first(),
    ).toBeVisible();

  // What came of it: the lines, the tests of both commits, the branch.
  await page.getByRole('link', { name: 'Diff', exact: true }).click();
  const lines = page.getByRole('table', { name: 'Changed lines' });
  await expect(lines.getByRole('heading', { name: 'value.txt' })).toBeVisible();
  await expect(lines.getByRole('cell', { name: 'deleted: broken' })).toBeVisible();
  await expect(lines.getByRole('cell', { name: 'added: fixed' })).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Changed lines' }).getByRole('img', { name: '2 lines added, 2 lines deleted' }),
  ).toHaveText('+2 −2');
  const tests = page.getByRole('region', { name: 'Tests' });
  await expect(tests.getByRole('row', { name: /^Result/ }).getByRole('cell')).toHaveText([
    /^failed/,
    'succeeded (exit code 0)',
  ]);
  const branch = (await page.getByRole('region', { name: 'Result' }).locator('code').first().textContent()) ?? '';
  expect(repo.git('show', `${branch}:value.txt`)).toBe('fixed');
  expect(repo.git('show', `${branch}:notes/first.txt`)).toBe('one\n2\nthree');
  expect(loads).toBe(1);
}

/** Pastes or drops a file on the field for the text. */
async function giveFile(page: Page, type: 'drop' | 'paste', file: { name: string; text: string }): Promise<void> {
  await page.getByLabel('Description').evaluate(
    (field, { type, name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { type: 'text/plain' }));
      const init = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        type === 'drop'
          ? new DragEvent(type, { ...init, dataTransfer: transfer })
          : new ClipboardEvent(type, { ...init, clipboardData: transfer }),
      );
    },
    { type, ...file },
  );
}
