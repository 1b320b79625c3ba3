import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSoakRun, untilFound } from '@sluice/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
import { runProgram } from '../src/program.ts';
import { shellWord } from '../src/terminal/shell-word.ts';
import { openScreen } from './screen.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let repo: string;
let run: readonly string[];

beforeEach(async () => {
  terminal = await openTerminal();
  repo = await makeSampleRepo(terminal.home);
  writeFileSync(join(terminal.home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  run = ['run', '--repo', repo, '--issue', join(terminal.home, 'bug.md')];
  for (const name of Object.keys(process.env)) if (name !== 'PATH') vi.stubEnv(name, undefined);
  vi.stubEnv('HOME', terminal.home);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  terminal[Symbol.dispose]();
});

/** Runs the command in this process, which takes a tenth of the time; the soak run starts a process for each. */
async function sluice(...args: readonly string[]) {
  if (isSoakRun) return await terminal.sluice(args);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text;
      return true;
    });
  }
  try {
    return { code: await runProgram(args, '0.0.0'), ...written };
  } finally {
    vi.restoreAllMocks();
  }
}

type Listed = { items: { id: string; status: string; repo_url: string }[] };

async function listed(): Promise<Listed['items']> {
  return (JSON.parse((await sluice('list', '--json')).stdout) as Listed).items;
}

/** Starts a run that ends at the gate. @returns the id that it prints */
async function runToGate(): Promise<string> {
  const { code, stderr } = await sluice(...run);
  expect(code, stderr).toBe(9);
  return /Decide with: sluice approve ([0-9a-f]{8}) /.exec(stderr)?.[1] ?? '';
}

it('shows, instructs, approves, rejects and cancels issues that no process works on', async () => {
  const id = await runToGate();
  const shown = await sluice('show', id);
  expect(shown.stdout).toContain(sampleIssue.title);
  expect(shown.stdout).toContain('Plan, revision 1');

  const withoutGuidance = await sluice('instruct', id);
  expect([withoutGuidance.code, withoutGuidance.stderr]).toEqual([2, expect.stringContaining('Pass the text')]);
  const instructed = await sluice('instruct', '--repo', repo, 'Keep the rounding.');
  expect(instructed.code, instructed.stderr).toBe(9);
  expect(instructed.stderr).toContain('Plan, revision 2');
  const stale = await sluice('approve', id, '--revision', '1');
  expect(stale.code, stale.stderr).toBe(5);
  const approved = await sluice('approve', id);
  expect(approved.code, approved.stderr).toBe(0);
  expect(approved.stdout).toMatch(/^Done\. /);
  expect(approved.stderr).toContain('Merge it with:');
  const log = await sluice('log', '--repo', repo);
  expect(log.stdout).toContain('a discount takes its percentage off the line');

  await runToGate();
  expect((await sluice('cancel', '--repo', repo, '--yes')).code).toBe(0);
  const rejected = await sluice('reject', await runToGate());
  expect(rejected.code, rejected.stderr).toBe(0);
  const nothing = await sluice('approve', '--repo', repo);
  expect([nothing.code, nothing.stderr]).toEqual([4, expect.stringMatching(/^sluice: No issue is in progress on /)]);
  const items = await listed();
  expect(items.map(({ status }) => status)).toEqual(['rejected', 'cancelled', 'completed']);
  expect(items.map(({ repo_url }) => repo_url)).toEqual([repo, repo, repo]);
  const damaged = join(terminal.home, '.local/share/sluice/run/damaged');
  mkdirSync(damaged);
  for (const name of ['account.json', 'sluice.db']) writeFileSync(join(damaged, name), 'x');
  const partial = await sluice('list');
  expect([partial.code, partial.stderr]).toEqual([1, expect.stringContaining(`${damaged} cannot be read`)]);
  expect(partial.stdout).toMatch(/^[0-9a-f]{8}\trejected\t[^\t]+\tinvoice\t/);
});

it('offers no approval of a plan that cannot be carried out', async () => {
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
