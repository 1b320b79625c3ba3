import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../src/local/sample-repo.ts';
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
});

afterEach(() => terminal[Symbol.dispose]());

type Listed = { items: { id: string; status: string; repo_url: string }[] };

/** Starts a run that ends at the gate. @returns the id that it prints */
async function runToGate(): Promise<string> {
  const { code, stderr } = await terminal.sluice(run);
  expect(code, stderr).toBe(9);
  return /Decide with: sluice approve ([0-9a-f]{8}) /.exec(stderr)?.[1] ?? '';
}

it('shows, instructs, approves, rejects and cancels issues that no process works on', async () => {
  const id = await runToGate();
  const shown = await terminal.sluice(['show', id]);
  expect(shown.stdout).toContain(sampleIssue.title);
  expect(shown.stdout).toContain('Plan, revision 1');

  const instructed = await terminal.sluice(['instruct', '--repo', repo, 'Keep the rounding.']);
  expect(instructed.code, instructed.stderr).toBe(9);
  expect(instructed.stderr).toContain('Plan, revision 2');
  const stale = await terminal.sluice(['approve', id, '--revision', '1']);
  expect(stale.code, stale.stderr).toBe(5);
  const approved = await terminal.sluice(['approve', id]);
  expect(approved.code, approved.stderr).toBe(0);
  expect(approved.stdout).toMatch(/^Done\. /);
  expect(approved.stderr).toContain('Merge it with:');
  const log = await terminal.sluice(['log', '--repo', repo]);
  expect(log.stdout).toContain('a discount takes its percentage off the line');

  await runToGate();
  expect((await terminal.sluice(['cancel', '--repo', repo, '--yes'])).code).toBe(0);
  const rejected = await terminal.sluice(['reject', await runToGate()]);
  expect(rejected.code, rejected.stderr).toBe(0);
  const nothing = await terminal.sluice(['approve', '--repo', repo]);
  expect([nothing.code, nothing.stderr]).toEqual([4, expect.stringMatching(/^sluice: No issue is in progress on /)]);
  const { items } = await terminal.json<Listed>(['list']);
  expect(items.map(({ status }) => status)).toEqual(['rejected', 'cancelled', 'completed']);
  expect(items.map(({ repo_url }) => repo_url)).toEqual([repo, repo, repo]);
  expect((await terminal.sluice(['list'])).stdout).toMatch(/^[0-9a-f]{8}\trejected\t[^\t]+\tinvoice\t/);
});

it('lets another terminal approve a plan, and goes on without an answer at its own prompt', async () => {
  using screen = openScreen(run, { HOME: terminal.home });
  await screen.shows('Approve this plan?');
  const approved = await terminal.sluice(['approve', '--repo', repo]);
  expect(approved.code, approved.stderr).toBe(0);
  await screen.shows('Decided elsewhere.');
  await screen.shows('Merge it with:');
  expect(await screen.ends()).toBe(0);
});

it('shows and cancels an issue that another process works on', async () => {
  const working = terminal.start([...run, '--yes', '--test', 'sleep 60']); // runs until it is cancelled
  const ended = once(working, 'exit');
  const result = text(working.stdout as never);
  const issues = async () => (await terminal.json<Listed>(['list'])).items;
  await expect.poll(async () => (await issues())[0]?.status).toBe('running');
  const [issue] = await issues();
  const id = issue?.id.slice(-8) ?? '';
  expect((await terminal.sluice(['show', id])).stdout).toContain('running');
  const cancelled = await terminal.sluice(['cancel', id, '--yes']);
  expect(cancelled.code, cancelled.stderr).toBe(0);
  expect((await ended)[0]).toBe(8);
  expect(await result).toContain('Ended as cancelled');
});
