import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

const EDIT = 'in `src/invoice.js` replace `full - percent` with `full * (1 - percent / 100)`';

/** A repository whose test fails until the edit is made. */
function makeRepo(): string {
  const root = test.info().outputPath('repo');
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }));
  writeFileSync(join(root, 'src/invoice.js'), 'export const price = (full, percent) => full - percent;\n');
  writeFileSync(
    join(root, 'src/invoice.test.js'),
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { price } from './invoice.js';\ntest('percent', () => assert.equal(price(1000, 10), 900));\n",
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'Price an invoice');
  return root;
}

/** Creates an issue with a plan that waits. @returns its address */
async function openGate(page: Page, request: APIRequestContext): Promise<string> {
  const repo = await request.post('/api/repos', { data: { url: makeRepo() } });
  const { id: repo_id } = await repo.json();
  const made = await request.post('/api/issues', { data: { repo_id, title: 'Take the percentage off', body: EDIT } });
  const address = `/issues/${(await made.json()).id}`;
  await page.goto(address);
  await expect(page.getByText('Waits for you: decide on the plan')).toBeVisible();
  return address;
}

test('instructs with a remark on a step, approves by the keyboard and shows the branch', async ({ page, account }) => {
  test.slow();
  await openGate(page, page.context().request);
  await page.getByRole('link', { name: 'Plan', exact: true }).click();
  await page.getByRole('button', { name: 'Remark on step 1' }).click();
  await page.getByLabel('Remark on step 1').first().fill('Keep the signature.');
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByLabel('Remark on step 1').first()).toHaveValue('Keep the signature.');
  await page.getByRole('button', { name: 'Send 1 remark' }).click();
  await expect(page.getByText('You gave instructions on revision 1 of the plan')).toBeVisible();
  await expect(page.getByText('Waits for you: decide on revision 2 of the plan')).toBeVisible();
  await expect(page.getByText('What changed since revision 1')).toBeVisible();

  await page.keyboard.press('a');
  await expect(page.getByRole('dialog', { name: 'Approve the plan?' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const decided = page.getByText('You approved revision 2 of the plan');
  await expect(decided).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Result' })).toBeVisible();
  await expect(page.getByText('Done: the branch is pushed')).toBeVisible();
  await expect(page.getByText(/^git fetch origin sluice\//)).toBeVisible();
  expect(account.email).toContain('@');
});

test.describe('two tabs', () => {
  test.use({ allowedComplaints: [/status of 409|net::ERR_FAILED/] });

  test('tell who decided first, and keep what was typed', async ({ page, context, account }) => {
    test.slow();
    const address = await openGate(page, context.request);
    // This tab hears of nothing, as one does whose stream is down.
    await page.route('**/api/trpc/events.watch**', (route) => route.abort());
    await page.goto(`${address}?view=plan`);
    await page.getByLabel('Instructions for the planner').fill('Round it once.');

    const other = await context.newPage();
    await other.goto(`${address}?view=plan`);
    await other.getByRole('button', { name: 'Reject' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Reject the plan' }).click();
    await expect(other.getByText('You rejected revision 1 of the plan')).toBeVisible();

    await page.getByRole('button', { name: 'Send 1 remark' }).click();
    await expect(page.getByText(/You rejected revision 1 of the plan .*, in another window/)).toBeVisible();
    await expect(page.getByText('Round it once.')).toBeVisible();
    expect(account.email).toContain('@');
  });
});
