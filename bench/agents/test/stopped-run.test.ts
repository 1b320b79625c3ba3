import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveOnLoopback } from '@sluice/testing';
import { afterAll, expect, it } from 'vitest';
import { InfrastructureError } from '../src/agent/bench-agent.ts';
import { startModelRecorder } from '../src/run/model-recorder.ts';
import { openLedger } from '../src/run/trial-ledger.ts';
import { requireModel } from '../src/run/trial-model.ts';
import type { TrialRecord } from '../src/run/trial-record.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-ledger-'));
const scratch = () => mkdtempSync(join(root, 'run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const facts = { model: 'compatible/a', commit: 'a'.repeat(40) };

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
  const ledger = openLedger(folder, facts);
  for (const record of [trial('a', 'solved'), trial('b', 'infrastructure')]) ledger.add(record);
  expect(ledger.records()).toHaveLength(2);
  appendFileSync(join(folder, 'trials.jsonl'), '{"task":"c","age');

  const again = openLedger(folder, facts);
  const has = (task: string) => again.has({ task, agent: 'bash', run: 1 });
  expect([has('a'), has('b'), has('c')]).toEqual([true, false, false]);
  again.add(trial('b', 'unsolved'));
  expect(openLedger(folder, facts).records()).toEqual([trial('a', 'solved'), trial('b', 'unsolved')]);
});

it('mixes no trials of two models or two commits', () => {
  const folder = scratch();
  openLedger(folder, facts);
  expect(() => openLedger(folder, { ...facts, model: 'compatible/b' })).toThrow('a run of compatible/a');
  expect(() => openLedger(folder, { ...facts, commit: 'b'.repeat(40) })).toThrow('the commit aaaaaaaaaaaa');
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
