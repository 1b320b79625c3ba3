import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveOnLoopback } from '@sluice/testing';
import { afterAll, expect, it, vi } from 'vitest';
import { bashAgent } from '../src/agent/bash-loop.ts';
import { type AgentOutcome, type BenchAgent, InfrastructureError } from '../src/agent/bench-agent.ts';
import { noopAgent } from '../src/agent/control-agents.ts';
import { openSandbox } from '../src/agent/open-sandbox.ts';
import { predictCommand } from '../src/command/predict-command.ts';
import { startScriptedEndpoint } from '../src/economy/scripted-endpoint.ts';
import { readDataset } from '../src/predictions/dataset.ts';
import { type Predict, predict } from '../src/predictions/predict.ts';
import { runGit } from '../src/repo/task-repo.ts';
import { makeHistory } from './history.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-predict-'));
const scratch = () => mkdtempSync(join(root, 'run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const clone = makeHistory(root, 'clones/an-owner__a-repo');
const [head = '', , base = ''] = runGit(clone, 'log', '--format=%H').trim().split('\n');
const row = { repo: 'an-owner/a-repo', problem_statement: 'It is wrong.', patch: 'the answer', hints_text: 'a hint' };
const install_config = { install: ['npm ci'], test_cmd: 'node --test' };
const rows = [
  { ...row, instance_id: 'an-owner__a-repo-1', base_commit: base, install_config },
  { ...row, instance_id: 'an-owner__a-repo-2', base_commit: head, install_config: null },
  { ...row, repo: 'missing/there', instance_id: 'missing__there-3', base_commit: base },
];

function datasetOf(given: readonly object[]): string {
  const file = join(scratch(), 'dataset.jsonl');
  writeFileSync(file, given.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return file;
}

function given(changes: Partial<Predict> = {}): Predict {
  const folder = scratch();
  return {
    instances: readDataset(datasetOf(rows)),
    inputs: { 'dataset.jsonl': 'a hash' },
    agent: noopAgent,
    model: 'none',
    clones: join(root, 'clones'),
    folder,
    sandbox: openSandbox(folder),
    limitMs: 60_000,
    signal: new AbortController().signal,
    report: () => {},
    ...changes,
  };
}

function linesOf(folder: string, file: string): unknown[] {
  const text = readFileSync(join(folder, file), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

function agent(name: string, work: BenchAgent['work']): BenchAgent {
  return { name, usesModel: false, promptHash: null, work };
}

const nothing: AgentOutcome = { ended: 'done', detail: '', patch: '', costUsd: 0 };

it('reads of a dataset only what an agent may know and this bench can use', () => {
  const instances = readDataset(datasetOf(rows));
  expect(instances[0]).toMatchObject({ testCommand: 'node --test', problem: 'It is wrong.' });
  expect(JSON.stringify(instances)).not.toMatch(/the answer|a hint|npm ci/);
});

it('writes predictions for the rows of a dataset, with what they took, and leaves out those that it has', async () => {
  const reports: string[] = [];
  const predictions = given({ report: (line) => reports.push(line) });
  expect(await predict(predictions)).toEqual({ written: 2, failed: 1 });
  expect(linesOf(predictions.folder, 'predictions.jsonl')).toEqual(
    [1, 2].map((at) => ({ instance_id: `an-owner__a-repo-${at}`, model_name_or_path: 'noop-none', model_patch: '' })),
  );
  expect(reports.at(-1)).toContain('There is no clone of missing/there');
  const used = { turns: 0, input_tokens: 0, cached_tokens: 0, output_tokens: 0, cost_usd: 0 };
  expect(linesOf(predictions.folder, 'instances.jsonl')).toMatchObject(
    [1, 2].map((at) => ({ instance_id: `an-owner__a-repo-${at}`, ended: 'done', ...used })),
  );
  expect(readdirSync(join(predictions.folder, 'trials/an-owner__a-repo-1'))).toEqual([]);
  const about = JSON.parse(readFileSync(join(predictions.folder, 'run.json'), 'utf8'));
  expect(about).toMatchObject({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), model: 'none', agents: ['noop'] });

  expect(await predict(predictions)).toEqual({ written: 2, failed: 1 });
  expect(reports).toHaveLength(4);
});

it('does not take the predictions of another model, agent or dataset for its own', async () => {
  const first = given();
  await predict(first);
  await expect(predict({ ...first, model: 'other' })).rejects.toThrow('the model: none there, other here');
  await expect(predict({ ...first, agent: bashAgent() })).rejects.toThrow('the agents: noop there, bash here');
  await expect(predict({ ...first, inputs: { 'dataset.jsonl': 'b' } })).rejects.toThrow('dataset.jsonl has changed');
  // The first rows may be tried before all are.
  expect(await predict({ ...first, instances: first.instances.slice(0, 1) })).toMatchObject({ failed: 0 });
});

it('predicts nothing where an agent is stopped or breaks off, and nothing at all where the surroundings fail', async () => {
  const instances = readDataset(datasetOf(rows.slice(0, 1)));
  const late = agent('late', ({ signal }) => sleep(60_000, nothing, { signal }));
  const slow = given({ instances, agent: late, limitMs: 50 });
  expect(await predict(slow)).toEqual({ written: 1, failed: 0 });
  expect(linesOf(slow.folder, 'instances.jsonl')).toMatchObject([{ ended: 'timeout', cost_usd: null }]);

  const broken = given({ instances, agent: agent('broken', () => Promise.reject(new Error('a bug'))) });
  expect(await predict(broken)).toEqual({ written: 1, failed: 0 });
  expect(linesOf(broken.folder, 'instances.jsonl')).toMatchObject([{ ended: 'error', detail: 'a bug' }]);

  const away = agent('away', () => Promise.reject(new InfrastructureError('no sandbox')));
  expect(await predict(given({ instances, agent: away }))).toEqual({ written: 0, failed: 1 });
});

it('refuses a dataset without rows, and names a file that is there', async () => {
  vi.stubEnv('MODEL_BASE_URL', 'http://127.0.0.1:1/v1');
  const out = scratch();
  const options = ['--clones', join(root, 'clones'), '--model', 'compatible/a', '--agents', 'bash', '--out', out];
  const empty = datasetOf([]);
  await expect(predictCommand(['--dataset', empty, ...options])).rejects.toThrow(`${empty} holds no instance.`);

  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await using model = await startScriptedEndpoint(() => ({ text: 'Ready.' }));
  vi.stubEnv('MODEL_BASE_URL', model.url);
  expect(await predictCommand(['--dataset', datasetOf(rows.slice(2)), ...options])).toBe(1);
  expect(printed).toEqual([`${out}/bash/predictions.jsonl: 0 predictions\n`]);
  expect(existsSync(join(out, 'bash/predictions.jsonl'))).toBe(true);
});

it('asks the model before it works on the first row, and ends where it does not answer', async () => {
  await using away = await serveOnLoopback((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such model"}}');
  });
  vi.stubEnv('MODEL_BASE_URL', `${away.origin}/v1`);
  const out = scratch();
  const options = ['--clones', join(root, 'clones'), '--model', 'compatible/a', '--agents', 'bash', '--out', out];
  await expect(predictCommand(['--dataset', datasetOf(rows), ...options])).rejects.toThrow(
    'Nothing has run: compatible/a',
  );
  expect(readdirSync(out)).toEqual([]);
});
