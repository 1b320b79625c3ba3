import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveOnLoopback } from '@sluice/testing';
import { afterAll, expect, it } from 'vitest';
import { InfrastructureError } from '../src/agent/bench-agent.ts';
import { startModelRecorder } from '../src/run/model-recorder.ts';
import { heldTasks, openRun, type RunFacts } from '../src/run/run-facts.ts';
import { openLedger } from '../src/run/trial-ledger.ts';
import { requireModel } from '../src/run/trial-model.ts';
import type { TrialRecord } from '../src/run/trial-record.ts';
import { folderHash } from '../src/task/folder-hash.ts';
import { UsageError } from '../src/usage/usage-error.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-ledger-'));
const scratch = () => mkdtempSync(join(root, 'run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const facts: RunFacts = {
  commit: 'a'.repeat(40),
  is_modified: false,
  model: 'compatible/a',
  agents: ['bash', 'sluice'],
  prompt_hashes: { bash: 'b', sluice: 's' },
  inputs: { one: '1', two: '2' },
  runs: 3,
};
const planned = ['a', 'b', 'c'].map((task) => ({ task, agent: 'bash', run: 1 }));

function trial(task: string, outcome: TrialRecord['outcome']): TrialRecord {
  const use = { turns: 1, input_tokens: 1, cached_tokens: 0, output_tokens: 1, cost_usd: null };
  return {
    task,
    agent: 'bash',
    run: 1,
    outcome,
    ended: 'done',
    detail: '',
    tests: '',
    duration_ms: 1,
    folder: '',
    ...use,
  };
}

it('goes on behind a line that was cut, and tries again what the surroundings had spoiled', () => {
  const folder = scratch();
  const ledger = openLedger(folder, planned);
  for (const record of [trial('a', 'solved'), trial('b', 'infrastructure')]) ledger.add(record);
  expect(ledger.records()).toHaveLength(2);
  appendFileSync(join(folder, 'trials.jsonl'), '{"task":"c","age');

  const again = openLedger(folder, planned);
  const has = (task: string) => again.has({ task, agent: 'bash', run: 1 });
  expect([has('a'), has('b'), has('c')]).toEqual([true, false, false]);
  again.add(trial('b', 'unsolved'));
  expect(openLedger(folder, planned).records()).toEqual([trial('a', 'solved'), trial('b', 'unsolved')]);
});

it('leaves out records of trials that the run does not have', () => {
  const folder = scratch();
  openLedger(folder, planned).add(trial('a', 'solved'));
  expect(openLedger(folder, planned.slice(1)).records()).toEqual([]);
});

it.each([
  [{ model: 'compatible/b' }, 'the model: compatible/a there, compatible/b here'],
  [{ commit: 'b'.repeat(40) }, 'the commit of Sluice: aaaaaaaaaaaa there, bbbbbbbbbbbb here'],
  [{ is_modified: true }, 'changes to Sluice that are not committed: none there, some here'],
  [{ agents: ['bash'] }, 'the agents: bash, sluice there, bash here'],
  [{ runs: 1 }, 'runs of each task: 3 there, 1 here'],
  [{ prompt_hashes: { bash: 'b', sluice: 'changed' } }, 'the prompts of sluice'],
  [{ inputs: { one: '1', two: 'changed' } }, 'two has changed'],
  [{ inputs: { one: '1' } }, 'two is missing here'],
  [{ inputs: { ...facts.inputs, three: '3' } }, 'three is missing there'],
])('does not go on with another run than the one that a folder holds: %j', (change, told) => {
  const folder = scratch();
  expect(openRun(folder, { ...facts })).toBe(openRun(folder, facts));
  expect(() => openRun(folder, { ...facts, ...change })).toThrow(
    new UsageError(`${folder} holds another run than this one:\n  - ${told}\nRepeat that one, or give another --out.`),
  );
});

it('names the tasks of the run that a folder holds', () => {
  const folder = scratch();
  expect(heldTasks(folder)).toBeNull();
  openRun(folder, facts);
  expect(heldTasks(folder)).toEqual(new Set(['one', 'two']));
});

it('tells tasks apart by every file, its name, and whether it can be executed', () => {
  const hashOf = (make: (folder: string) => void) => {
    const folder = scratch();
    mkdirSync(join(folder, 'tests'));
    writeFileSync(join(folder, 'tests/test.sh'), 'true\n');
    make(folder);
    return folderHash(folder);
  };
  const hashes = [
    hashOf(() => {}),
    hashOf((folder) => writeFileSync(join(folder, 'tests/test.sh'), 'false\n')),
    hashOf((folder) => chmodSync(join(folder, 'tests/test.sh'), 0o755)),
    hashOf((folder) => renameSync(join(folder, 'tests/test.sh'), join(folder, 'tests/run.sh'))),
    hashOf((folder) => symlinkSync('test.sh', join(folder, 'tests/link'))),
    hashOf((folder) => symlinkSync('other.sh', join(folder, 'tests/link'))),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(hashOf(() => {})).toBe(hashes[0]);
});

it.each([
  ['the provider is overloaded', 529, true],
  ['the key is refused', 401, true],
  ['the line breaks', null, true],
  ['the conversation is too long', 400, false],
])('knows whether an agent gave up because its model was away: %s', async (_how, status, isAway) => {
  await using provider = await serveOnLoopback((_request, response) => {
    if (status === null) response.destroy();
    else response.writeHead(status).end('{}');
  });
  const file = join(scratch(), 'model.jsonl');
  await using recorder = await startModelRecorder(provider.origin, file);
  await (await fetch(`${recorder.url}/chat/completions`, { method: 'POST', body: '{}' })).text();
  const judge = (ended: 'done' | 'gave_up') => () =>
    requireModel({ ended, detail: 'No answer.', patch: '', costUsd: null }, { ...recorder, model: null as never });
  if (isAway) expect(judge('gave_up')).toThrow(InfrastructureError);
  else expect(judge('gave_up')).not.toThrow();
  expect(judge('done')).not.toThrow();
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
});
