import { it } from 'vitest';
import { manyLines, seedLargeChange, seedLongHistory } from '../test/story/long-story.ts';
import { type ConsolePage, withConsolePage } from './console-page.ts';
import { LATE_MS, type Measured, openInteractions } from './interactions.ts';

const IDLE_MS = 60_000;
const MB = 1_000_000;

it('answers a person in time with 30,000 events, 10,000 lines and 100,000 lines of output', {
  timeout: 900_000,
}, async () => {
  await withConsolePage(async (console) => {
    await measureSizes(console);
    await measureTimeline(console);
    await measureDiff(console);
    await measureIdle(console);
    await measureLog(console);
  });
});

function report(name: string, figure: string, bar: string): void {
  process.stdout.write(`${name.padEnd(52)} ${figure.padStart(10)}   at most ${bar}\n`);
}

/** Event timing tells of nothing that is shorter than a frame; the browser scrolls without the page. */
function inMs(ms: number): string {
  return ms === 0 ? '< 16 ms' : `${ms.toFixed(0)} ms`;
}

function reportInteraction(page: string, { name, median, slowest, work }: Measured): void {
  const split = Object.entries(work).map(([kind, ms]) => `${kind} ${ms.toFixed(0)}`);
  report(`${page}: ${name}`, inMs(median), `100 ms   slowest ${inMs(slowest)}; work ${split.join(', ')} ms`);
}

async function measureSizes({ page, cdp, url }: ConsolePage): Promise<void> {
  let bytes = 0;
  const scripts = new Set<string>();
  await cdp.send('Network.enable');
  cdp.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(`${url}/issues`, { waitUntil: 'networkidle' }).catch(() => undefined);
  report('scripts of a cold load of the inbox, as sent', `${(bytes / 1_000).toFixed(0)} KB`, '180 KB');
  await cdp.send('Network.disable');
}

async function measureDiff({ page, cdp, url, database, ids }: ConsolePage): Promise<void> {
  const id = seedLargeChange(database, ids, 10_000);
  await page.goto(`${url}/issues/${id}?view=diff`);
  await page.getByRole('table', { name: 'Changed lines' }).waitFor();
  const { measure } = await openInteractions(page, cdp);
  const search = page.getByRole('searchbox');
  const show = (measured: Measured) => reportInteraction('diff', measured);
  show(await measure('scroll by a page', () => page.keyboard.press('PageDown')));
  show(await measure('jump to the end and back', (round) => page.keyboard.press(round % 2 === 0 ? 'End' : 'Home')));
  await page.keyboard.press('Home');
  const toggle = page.getByRole('table').getByRole('button', { expanded: true }).first();
  show(await measure('collapse a file', () => toggle.click()));
  show(
    await measure('switch split and unified', (round) =>
      page.getByRole('button', { name: round % 2 === 0 ? 'Unified' : 'Split' }).click(),
    ),
  );
  show(await measure('mark a file as viewed', () => page.getByRole('table').getByRole('checkbox').first().click()));
  await search.focus();
  show(await measure('type into the search', (round) => page.keyboard.press('compu'[round] ?? 't')));
  show(await measure('next match', () => page.keyboard.press('Enter')));
}

async function measureTimeline({ page, cdp, url, database, ids }: ConsolePage): Promise<void> {
  const id = seedLongHistory(database, ids, 30_000);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.goto(`${url}/issues/${id}?view=activity`);
  const stage = (isOpen: boolean) => page.getByRole('button', { name: /^Implement/, expanded: isOpen });
  await stage(false).first().waitFor();
  await page.getByText('Loading the history').waitFor({ state: 'hidden' });
  const { measure } = await openInteractions(page, cdp);
  const show = (measured: Measured) => reportInteraction('timeline', measured);
  show(
    await measure('open and close a stage of 500 events', (round) =>
      stage(round % 2 === 1)
        .first()
        .click(),
    ),
  );
  show(await measure('scroll by a page', () => page.keyboard.press('PageDown')));
  show(await measure('jump to the end and back', (round) => page.keyboard.press(round % 2 === 0 ? 'End' : 'Home')));
  show(
    await measure('filter', (round) =>
      page.getByRole('button', { name: round % 2 === 0 ? 'Failures' : 'Messages' }).click(),
    ),
  );
  await page.getByRole('button', { name: 'All', exact: true }).click();
  show(
    await measure('open and close all', (round) =>
      page.getByRole('button', { name: round % 2 === 0 ? 'Open all' : 'Close all' }).click(),
    ),
  );
  await page.getByRole('searchbox', { name: 'Search the events' }).focus();
  show(await measure('type into the search', (round) => page.keyboard.press('round'[round] ?? '1')));
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
}

async function measureIdle({ page, cdp, url }: ConsolePage): Promise<void> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.goto(`${url}/issues`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(LATE_MS);
  await cdp.send('Performance.enable');
  // CPU time of the whole process of the tab, which a busy machine does not lengthen as it does the duration of tasks.
  const cpuSeconds = async () =>
    (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ProcessTime')?.value ?? 0;
  const before = await cpuSeconds();
  await page.waitForTimeout(IDLE_MS);
  const share = ((await cpuSeconds()) - before) / (IDLE_MS / 1_000);
  report('idle inbox, of one core', `${(share * 100).toFixed(2)} %`, '0.5 %');
}

async function measureLog({ page, cdp, url, user, ids }: ConsolePage): Promise<void> {
  await user.patch(`/repos/${ids.repoId}`, { test_command: manyLines(100_000) });
  const issue = await user.post('/issues', { repo_id: ids.repoId, title: 'Count', body: 'Print many lines.' });
  await page.goto(`${url}/issues/${issue.id}?view=log`);
  await page.getByRole('link', { name: 'Link to line 100000' }).waitFor({ timeout: 300_000 });
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  report('heap with 100,000 lines of output', `${(usedSize / MB).toFixed(0)} MB`, '150 MB');
}
