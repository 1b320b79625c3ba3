import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '@sluice/core/workspace';
import { afterAll, expect, it } from 'vitest';
import { type AgentOutcome, type BenchAgent, InfrastructureError, type Trial } from '../src/agent/bench-agent.ts';
import { openSandbox } from '../src/agent/open-sandbox.ts';
import { sluiceAgent } from '../src/agent/sluice-agent.ts';
import { runTrial } from '../src/run/run-trial.ts';
import { trialModels } from '../src/run/trial-model.ts';
import { readTask } from '../src/task/task.ts';

const task = readTask(fileURLToPath(new URL('../fixtures/tasks/slug-accents/', import.meta.url)));
const root = mkdtempSync(join(tmpdir(), 'sluice-trial-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function agent(work: (trial: Trial) => Promise<AgentOutcome>): BenchAgent {
  return { name: 'tried', usesModel: false, promptHash: null, work };
}

function setting(sandbox?: Sandbox) {
  const folder = mkdtempSync(join(root, 'run-'));
  const { signal } = new AbortController();
  return { folder, sandbox: sandbox ?? openSandbox(folder), openModel: trialModels(''), signal };
}

const nothing: AgentOutcome = { ended: 'done', detail: '', patch: '', costUsd: 0 };

it('counts an exception of an agent as unsolved, with its message, and only failures of the surroundings apart', async () => {
  const throwing = (error: Error) => runTrial({ task, agent: agent(() => Promise.reject(error)), run: 1 }, setting());
  expect(await throwing(new Error('no such tool'))).toMatchObject({
    outcome: 'unsolved',
    ended: 'error',
    detail: 'no such tool',
  });
  expect(await throwing(new InfrastructureError('no sandbox'))).toMatchObject({
    outcome: 'infrastructure',
    ended: 'infrastructure',
  });
});

it('counts an issue that the service refuses as unsolved', async () => {
  const long = { ...task, instruction: `A title\n${'x'.repeat(72 * 1_024)}\n` };
  const service = { ...sluiceAgent(), usesModel: false };
  const record = await runTrial({ task: long, agent: service, run: 1 }, setting());
  expect(record).toMatchObject({ outcome: 'unsolved', ended: 'error', detail: expect.stringContaining('body') });
});

it('keeps what tells of a trial, and no copy of the repository', async () => {
  const given = setting();
  const work = async ({ folder }: Trial) => {
    for (const name of ['repo', 'tree']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'trajectory.jsonl'), '');
    return nothing;
  };
  const record = await runTrial({ task, agent: agent(work), run: 1 }, given);
  const kept = readdirSync(join(given.folder, record.folder)).sort();
  expect(kept).toEqual(['change.patch', 'instruction.md', 'tests.log', 'trajectory.jsonl']);
});

it('stops an agent at the end of its time', async () => {
  const work = ({ signal }: Trial) => sleep(60_000, nothing, { signal });
  const record = await runTrial({ task: { ...task, agentMs: 50 }, agent: agent(work), run: 1 }, setting());
  expect(record).toMatchObject({ outcome: 'unsolved', ended: 'timeout', detail: 'It was stopped after 0.05 s.' });
});

it('does not blame an agent whose time is over for a sandbox that fails while its patch is tested', async () => {
  const sandbox: Sandbox = {
    ...openSandbox(root),
    run: async () => {
      await sleep(200);
      throw new Error('there is no bubblewrap');
    },
  };
  const given = { task: { ...task, agentMs: 100 }, agent: agent(async () => nothing), run: 1 };
  expect(await runTrial(given, setting(sandbox))).toMatchObject({ outcome: 'infrastructure' });
});

it.each([
  ['a file', (path: string) => writeFileSync(path, 'x')],
  ['a link', (path: string) => symlinkSync('src', path)],
])('tests a patch that makes %s where the hidden tests are put', async (_, make) => {
  const work = async ({ repo }: Trial) => {
    make(join(repo.folder, '.bench'));
    repo.git('add', '-A');
    return { ...nothing, patch: repo.git('diff', '--binary', '--cached') };
  };
  const given = setting();
  expect(await runTrial({ task, agent: agent(work), run: 1 }, given)).toMatchObject({
    outcome: 'unsolved',
    ended: 'done',
    tests: 'The hidden tests fail.',
  });
  expect(lstatSync(join(task.folder, 'tests')).isDirectory()).toBe(true);
});
