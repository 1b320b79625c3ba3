import type { APIRequestContext, Page } from '@playwright/test';
import { expect, register, test, UNREACHABLE } from './console-test.ts';
import { makeScratchRepo } from './scratch-repo.ts';
import { type ServedConsole, serveConsoleWithServices } from './serve-console.ts';
import { startIssue } from './start-issue.ts';

const LOST = 'The connection to the server is lost.';

test.describe('a server that is killed', () => {
  test.use({ allowedComplaints: [UNREACHABLE], viewport: { width: 1280, height: 4_000 } });

  test('is waited for, and no event is lost or shown twice', async ({ page, serve }) => {
    await outliveKills(page, await serve());
  });

  test('@soak is so with Postgres and Redis', async ({ page, serve }) => {
    await outliveKills(page, await serve(serveConsoleWithServices));
  });
});

async function outliveKills(page: Page, own: ServedConsole): Promise<void> {
  using repo = makeScratchRepo({ testSeconds: 3 });
  const context = page.context();
  await register(context, own.url);
  const { id } = await startIssue(context.request, { url: own.url, path: repo.path });
  const state = page.getByRole('region', { name: 'State' });
  await page.goto(`${own.url}/issues/${id}?view=plan`);

  // At the gate: what was typed stays, and the decision that could not be sent is sent later.
  await page.getByLabel('Instructions for the planner').fill('Not sent yet.');
  await own.kill();
  await expect(page.getByText(LOST)).toBeVisible();
  await page.getByRole('button', { name: /^Approve the plan/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve the plan' }).click();
  await expect(page.getByRole('alert')).toContainText('The server cannot be reached');
  await own.restart();
  await expect(page.getByText(LOST)).toBeHidden();
  await expect(page.getByLabel('Instructions for the planner')).toHaveValue('Not sent yet.');
  await page.getByLabel('Instructions for the planner').fill('');
  await page.getByRole('button', { name: /^Approve the plan/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve the plan' }).click();

  // In the middle of the work.
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await expect(state).toContainText('Running the tests');
  await own.kill();
  await expect(page.getByText(LOST)).toBeVisible();
  await own.restart();
  await expect(page.getByText(LOST)).toBeHidden();
  await expect(state).toContainText('Completed: the branch is pushed');

  const events = await eventsWithRows(context.request, `${own.url}/api/issues/${id}/history`);
  await page.getByRole('button', { name: 'Open all' }).click();
  await expect.poll(() => shownEvents(page)).toEqual(events);
  await page.reload();
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('button', { name: 'Open all' }).click();
  await expect.poll(() => shownEvents(page)).toEqual(events);
}

/** Events that have a row of their own in the timeline, as the last one has. The others end or accompany what a row shows. */
const WITH_ROW = [
  'issue.created',
  'stage.started',
  'agent.message',
  'agent.tool_call',
  'command.started',
  'diff.updated',
  'plan.created',
  'review.requested',
  'review.decided',
  'result.published',
];

async function eventsWithRows(request: APIRequestContext, url: string): Promise<number[]> {
  const { items } = await (await request.get(url)).json();
  const events = items as { seq: number; type: string }[];
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const end = events.at(-1);
  return events.filter((event) => event === end || WITH_ROW.includes(event.type)).map(({ seq }) => seq);
}

/** The events whose rows the timeline shows, by the links to them; null while not all rows are there. */
async function shownEvents(page: Page): Promise<number[] | null> {
  const rows = page.getByRole('region', { name: 'Activity' }).locator('li[aria-posinset]');
  return await rows.evaluateAll((all) => {
    if (all.length !== Number(all[0]?.getAttribute('aria-setsize'))) return null;
    const ofEvents = all.filter((row) => !row.textContent?.startsWith('Pause'));
    return ofEvents.map((row) => {
      const link = row.querySelector<HTMLAnchorElement>('a[href*="event="]');
      return Number(new URL(link?.href ?? '').searchParams.get('event'));
    });
  });
}
