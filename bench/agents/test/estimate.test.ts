import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModels } from '@sluice/agents';
import { serveOnLoopback } from '@sluice/testing';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { requireAnswer } from '../src/agent/require-answer.ts';
import { benchCommand } from '../src/command/bench-command.ts';
import { startScriptedEndpoint } from '../src/economy/scripted-endpoint.ts';
import { bashWork, expenseOf } from '../src/estimate/assumed-work.ts';
import { estimateSentence, renderEstimate } from '../src/estimate/render-estimate.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-estimate-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
// The configuration of the person who runs the tests must not reach them.
beforeEach(() => vi.stubEnv('XDG_CONFIG_HOME', root));

const price = { input: 10, output: 100, cache_read: 1, cache_write: 20 };
const models = createModels({
  keys: { anthropic: 'a-key', openai: 'a-key' },
  baseUrls: { compatible: 'http://127.0.0.1:1/v1' },
  table: { 'anthropic/priced': { price }, 'openai/priced': { price } },
});
const work = { requests: 3, firstTokens: 1_000, addedTokens: 500, answerTokens: 200 };

it('adds up requests that repeat each other, with the prices of a cache that wants marks and of one that does not', () => {
  // Input 1,000, then 1,500 and 2,000, of which 1,000 and 1,500 are repeated; output 200 each.
  const tokens = { requests: 3, inputTokens: 4_500, outputTokens: 600 };
  const million = 1_000_000;
  expect(expenseOf('bash', work, models.choice('anthropic/priced'))).toEqual({
    ...tokens,
    usd: expect.closeTo((2_000 * 20 + 2_500 * 1 + 600 * 100) / million, 9),
  });
  expect(expenseOf('bash', work, models.choice('openai/priced'))).toEqual({
    ...tokens,
    usd: expect.closeTo((2_000 * 10 + 2_500 * 1 + 600 * 100) / million, 9),
  });
});

it('expects of Sluice three requests and 30 % of tokens more than of the bare loop', () => {
  const choice = models.choice('openai/priced');
  const [bash, sluice] = [expenseOf('bash', work, choice), expenseOf('sluice', work, choice)];
  expect(sluice.requests - bash.requests).toBe(3);
  expect(sluice.inputTokens / bash.inputTokens).toBeCloseTo(1.3);
  expect((sluice.usd ?? 0) / (bash.usd ?? 1)).toBeCloseTo(1.3);
});

it('takes little work to be what the economy measures of the bare loop', () => {
  const { inputTokens, requests } = expenseOf('bash', bashWork.little, models.choice('openai/priced'));
  expect(requests).toBe(7);
  expect(inputTokens).toBeGreaterThan(25_000);
  expect(inputTokens).toBeLessThan(42_000);
});

it('prints each model and agent with requests and dollars, and which price is unknown', () => {
  const run = { tasks: 2, runs: 3, agents: ['sluice', 'bash'] as const };
  const page = renderEstimate(run, [models.choice('openai/priced'), models.choice('compatible/own')]);
  expect(page).toContain('2 tasks × 3 runs × 2 agents = 12 trials.');
  expect(page).toMatch(/\| openai\/priced \| bash \| 42 to 300 \|/);
  expect(page).toMatch(/\| openai\/priced \| together \| 102 to 618 \|[^\n]*\| [\d.]+ to [\d.]+ \|/);
  expect(page).toMatch(/\| compatible\/own \| together \|[^\n]*\| unknown \|/);
  expect(page).toContain('No price of compatible/own is known here. Set it in MODEL_SETTINGS');
  expect(estimateSentence(run, models.choice('compatible/own'))).toContain('its price is not known here');
  expect(estimateSentence(run, models.choice('openai/priced'))).toMatch(/102 to 618 times, about [\d.]+ to [\d.]+ US/);
});

it('estimates a run of the ready list without a key, a clone or a request', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', undefined);
  const asked = vi.spyOn(globalThis, 'fetch');
  const out: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  const args = ['run', '--ready', '--runs', '1', '--clones', join(root, 'none'), '--out', join(root, 'run')];
  expect(await benchCommand([...args, '--estimate', '--model', 'anthropic/claude-sonnet-4-5'])).toBe(0);
  expect(out.join('')).toContain('30 tasks × 1 run × 2 agents = 60 trials.');
  expect(out.join('')).toMatch(/\| anthropic\/claude-sonnet-4-5 \| together \|[^\n]*\| \d[\d.]* to \d[\d.]* \|/);
  expect(asked).not.toHaveBeenCalled();
});

it.each([
  [['--model', 'anthropic/claude-sonnet-4-5'], 'ANTHROPIC_API_KEY'],
  [['--estimate'], 'The scripted model costs nothing. Say whose price to look up: --model NAME'],
  [['--estimate', '--model', 'compatible/x'], 'The model compatible/x needs MODEL_BASE_URL'],
  [['--estimate', '--model', 'nonsense'], '"nonsense" is not a model that can be asked.'],
  [['--ready', '--tasks', 'folder'], '--ready brings its own tasks and commands: leave out --tasks, or --ready.'],
  [['--only', 'click'], '--only chooses from the ready list: add --ready'],
  [['--ready', '--only', 'clik', '--estimate', '--model', 'openai/gpt-5.2'], 'has no "clik". It has: express, '],
])('says what is missing, and what to do, before anything runs: run %j', async (args, told) => {
  for (const name of ['ANTHROPIC_API_KEY', 'MODEL_BASE_URL']) vi.stubEnv(name, undefined);
  const err: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0);
  expect(await benchCommand(['run', '--out', join(root, 'run'), ...args])).toBe(2);
  expect(err.join('')).toContain(told);
});

it.each([
  [401, 'Set MODEL_API_KEY'],
  [404, 'Check its spelling, and MODEL_BASE_URL.'],
  [402, 'Add some there'],
])('asks the model once before a run, and says what to do about an answer of %i', async (status, advice) => {
  await using provider = await serveOnLoopback((_request, response) => {
    const body = JSON.stringify({ error: { message: 'no such thing', code: 'none' } });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  vi.stubEnv('MODEL_BASE_URL', `${provider.origin}/v1`);
  vi.stubEnv('MODEL_API_KEY', 'secret-key');
  const message = await requireAnswer('compatible/missing').then(
    () => 'it answered',
    (error: Error) => error.message,
  );
  expect(message).toContain(`Nothing has run: compatible/missing at ${provider.origin}/v1 cannot be used. `);
  expect(message).toContain(advice);
  expect(message).not.toContain('secret-key');
});

it('goes on with a model that calls the tool, and warns of one that answers in words', async () => {
  const err: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0);
  const warnedOf = async (calls: readonly { readonly tool: string; readonly input: object }[]) => {
    await using model = await startScriptedEndpoint(() => ({ text: 'Ready.', calls }));
    vi.stubEnv('MODEL_BASE_URL', model.url);
    await requireAnswer('compatible/scripted');
    expect(model.requests).toHaveLength(1);
    return err.splice(0).join('');
  };
  expect(await warnedOf([{ tool: 'report_word', input: { word: 'ready' } }])).toBe('');
  expect(await warnedOf([])).toContain('compatible/scripted answered without calling a tool.');
});
