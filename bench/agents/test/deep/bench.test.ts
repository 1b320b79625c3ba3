import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSoakRun } from '@sluice/testing';
import { afterAll, expect, it } from 'vitest';
import { InfrastructureError } from '../../src/agent/bench-agent.ts';
import { openSandbox } from '../../src/agent/open-sandbox.ts';
import { runCommand } from '../../src/command/run-command.ts';
import { makeTaskRepo } from '../../src/repo/task-repo.ts';
import { renderResult } from '../../src/report/render-result.ts';
import { grade } from '../../src/run/grade.ts';
import { runBench } from '../../src/run/run-bench.ts';
import { taskProblem } from '../../src/run/task-problem.ts';
import { SCRIPTED } from '../../src/run/trial-model.ts';
import { benchResult } from '../../src/run/trial-record.ts';
import { makeTasks } from '../../src/task/make-tasks.ts';
import { readTasks } from '../../src/task/task.ts';
import { makeHistory } from '../history.ts';

// Usual way: bench/agents/test/run-trial.test.ts

const ownTasks = readTasks(fileURLToPath(new URL('../../fixtures/tasks/', import.meta.url)));
const root = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const scratch = () => mkdtempSync(join(root, 'run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { signal } = new AbortController();
const quiet = () => {};

it('solves every own task with the oracle and a scripted model, none by doing nothing, and keeps what happened', async () => {
  const folder = scratch();
  const tasks = isSoakRun ? ownTasks : ownTasks.slice(0, 1);
  const agents = isSoakRun ? (['sluice', 'bash'] as const) : (['bash'] as const);
  const runs = isSoakRun ? 3 : 1;
  const facts = { tasks, agents, model: SCRIPTED, modelCutOff: '2026-01-31', runs, atOnce: 1, folder, signal };
  const result = await runBench({ ...facts, report: quiet });
  expect(result.invalid_because).toEqual([]);
  const solved = (agent: string) =>
    result.trials.filter((one) => one.agent === agent && one.outcome === 'solved').length;
  expect([solved('oracle'), solved('noop')]).toEqual([tasks.length, 0]);
  for (const agent of agents) expect(solved(agent), agent).toBe(tasks.length * runs);

  expect(benchResult.parse(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')))).toEqual(result);
  const bash = result.trials.find(({ agent }) => agent === 'bash');
  expect(bash).toMatchObject({ turns: 4, cost_usd: null });
  expect(bash?.cached_tokens).toBeGreaterThan(0);
  for (const file of ['change.patch', 'trajectory.jsonl', 'model.jsonl', 'tests.log']) {
    expect(existsSync(join(folder, bash?.folder ?? '', file)), file).toBe(true);
  }
  expect(renderResult(result)).toContain('| bash | 100.0 % |');

  // A run that was stopped goes on: nothing is done twice.
  const again = await runBench({ ...facts, report: () => expect.unreachable('it was done') });
  expect(again).toEqual({ ...result, made_at: again.made_at });
  await expect(runBench({ ...facts, runs: runs + 1, report: quiet })).rejects.toThrow('runs of each task');
});

it('blames a change for a setup command that only fails with it, and the surroundings for one that always fails', async () => {
  const [own] = ownTasks;
  if (own === undefined) throw new Error('There is no task.');
  const folder = scratch();
  const repo = makeTaskRepo(own.files, join(folder, 'base'));
  repo.git('rm', '-q', 'src/is-open.js');
  const patch = repo.git('diff', '--binary', '--cached');
  const graded = (setupCommand: string) => {
    const given = { repo, folder: scratch(), sandbox: openSandbox(folder), task: { ...own, setupCommand }, signal };
    return grade(patch, given);
  };
  expect(await graded('test -f src/is-open.js')).toMatchObject({ reward: 0, detail: expect.stringContaining('setup') });
  await expect(graded('false')).rejects.toThrow(InfrastructureError);
});

it.each([
  [['--runs', 'x'], '--runs takes a whole number from 1, not "x".'],
  [['--at-once', '0'], '--at-once takes'],
  [['--cut-off', 'March'], '--cut-off takes a day'],
  [['--agents', 'other'], 'There is no agent "other". There are: sluice, bash.'],
  [['--model', 'compatible/x'], 'MODEL_BASE_URL'],
])('says what is wrong before anything runs: run %j', async (args, told) => {
  await expect(runCommand([...args, '--out', scratch()])).rejects.toThrow(told);
});

it('makes a task of a commit whose tests need its change, and drops one whose tests pass without it', async () => {
  const clone = makeHistory(scratch());
  const out = scratch();
  const reports: string[] = [];
  const made = await makeTasks({
    clone,
    out,
    count: 5,
    since: '2000-01-01',
    until: 'HEAD',
    setupCommand: null,
    testCommand: 'node --test',
    verifyCommand: 'node {files}',
    allowHosts: [],
    image: 'node:24-bookworm',
    texts: {},
    verify: (task, progress) => taskProblem(task, { scratch: scratch(), signal, progress }),
    report: (line) => reports.push(line),
  });
  const [running = '', dropped = '', ...others] = reports.map((line) =>
    line.replace(/^.*?: (?=runs|dropped|made)/, ''),
  );
  expect(running).toBe('runs the hidden tests at the base');
  // The end of what the tests printed follows: it tells why.
  expect(dropped).toMatch(/^dropped: its tests pass without the change\n[\s\S]*\n {4}\S* ?pass 1\n/);
  expect(others).toEqual([
    'runs the hidden tests at the base',
    'runs the hidden tests with the solution',
    'made',
    expect.stringContaining('it has no parent'),
    expect.stringContaining('1 of 5 tasks were made'),
  ]);
  const [task] = made;
  expect(task).toMatchObject({ date: '2026-03-02', language: 'javascript', testCommand: 'node --test' });
  expect(task?.instruction).toBe('fix: add negative numbers\n\nThe sum was wrong below zero.\n');
  expect(readTasks(out)).toEqual(made);
  // Neither the hidden test nor a history is where an agent looks.
  expect(readFileSync(join(task?.files ?? '', 'test/add.test.js'), 'utf8')).not.toContain('below zero');
  expect(existsSync(join(task?.files ?? '', '.git'))).toBe(false);
});
