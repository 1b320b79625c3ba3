import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { untilFound } from '@sluice/testing';
import { expect, it } from 'vitest';
import { shellWord } from '../../src/terminal/shell-word.ts';
import { openLocalScene } from '../local-scene.ts';
import { openScreen } from '../screen.ts';

// Usual way: apps/cli/test/local-issues.test.ts

it('offers no approval of a plan that cannot be carried out', async () => {
  using scene = await openLocalScene();
  const { terminal, run } = scene;
  writeFileSync(
    join(terminal.home, 'bug.md'),
    'Nothing to find\n\nIn `src/invoice.js`, replace `no such text` with `x`.\n',
  );
  using screen = await openScreen(run, { HOME: terminal.home });
  await screen.shows('This plan cannot be carried out. What now?');
  await screen.shows('❯ instruct');
  screen.types('\x03');
  expect(await screen.ends()).toBe(130);
});

it('leaves the issue to other commands while a pager has its text', async () => {
  using scene = await openLocalScene();
  const { terminal, sluice, runToGate } = scene;
  const id = await runToGate();
  const paging = join(terminal.home, 'paging');
  const pager = `cat > ${shellWord(paging)}; while [ -e ${shellWord(paging)} ]; do sleep 0.1; done`;
  for (const command of ['show', 'log']) {
    using screen = await openScreen([command, id], { HOME: terminal.home, SLUICE_PAGER: pager });
    await untilFound(() => existsSync(paging));
    const stale = await sluice('reject', id, '--revision', '7');
    expect([stale.code, stale.stderr]).toEqual([5, expect.stringContaining('You saw revision 7 of the plan')]);
    rmSync(paging);
    expect(await screen.ends()).toBe(0);
  }
});

it('shows, approves, notes and cancels an issue that another process works on and asks about', async () => {
  using scene = await openLocalScene();
  const { terminal, repo, run, sluice, listed } = scene;
  // The tests fail on the base, and on the branch they run until the issue is cancelled.
  using screen = await openScreen([...run, '--test', 'node --test && sleep 600'], { HOME: terminal.home });
  await screen.shows('Approve this plan?');
  const approved = await sluice('approve', '--repo', repo);
  expect(approved.code, approved.stderr).toBe(0);
  await screen.shows('Decided elsewhere.');
  await screen.shows('▸ test');
  const [issue] = await listed();
  expect(issue?.status).toBe('running');
  const id = issue?.id.slice(-8) ?? '';
  expect((await sluice('show', id)).stdout).toContain('running');
  const sent = await sluice('message', id, 'Mind the cents.');
  expect([sent.code, sent.stderr]).toEqual([0, 'Sent.\n']);
  await screen.shows('note: Mind the cents.');
  const cancelled = await sluice('cancel', id, '--yes');
  expect(cancelled.code, cancelled.stderr).toBe(0);
  await screen.shows('Ended as cancelled');
  expect(await screen.ends()).toBe(8);
});
