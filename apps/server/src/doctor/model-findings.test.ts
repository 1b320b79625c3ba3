import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import { modelFindings, reachFindings, toolFindings, windowFindings } from './model-findings.ts';

const KEY = 'sk-of-a-diagnosis';
const local = { MODEL: 'compatible/local', MODEL_BASE_URL: 'http://127.0.0.1:9/v1' };
const found = (environment: Record<string, string>) => modelFindings(parseConfig(environment).models);
const details = (environment: Record<string, string>) =>
  found(environment).map(({ state, subject, detail }) => `${state} ${subject}: ${detail}`);

it('reports that the built-in model writes no code, and shows the budget of an issue', () => {
  expect(details({})).toEqual([
    'ok models: builtin (applies edits that an issue spells out; set MODEL to one that writes code)',
    'ok budget: 2,000,000 tokens per issue; a retry may raise it (ISSUE_BUDGET_FIXED=off)',
  ]);
});

it('names the models of each stage with their fallbacks, and the embedding model', () => {
  const [models] = details({
    MODEL: 'anthropic/claude-sonnet-4-5, openai/gpt-5',
    MODEL_TRIAGE: 'openai/gpt-5',
    ANTHROPIC_API_KEY: KEY,
    OPENAI_API_KEY: KEY,
    EMBEDDING_MODEL: 'openai/text-embedding-3-small',
  });
  expect(models).toBe(
    'ok models: triage: openai/gpt-5; plan, implement, review: anthropic/claude-sonnet-4-5 (fallbacks: openai/gpt-5); semantic search: openai/text-embedding-3-small',
  );
});

it('shows whether the price of each model is known', () => {
  expect(details({ MODEL: 'anthropic/claude-sonnet-4-5', ANTHROPIC_API_KEY: KEY })).toContain(
    'ok price: of anthropic/claude-sonnet-4-5: known',
  );
  expect(found(local)).toContainEqual({
    subject: 'price',
    state: 'warning',
    detail: 'of compatible/local: unknown, so the cost of issues is not shown',
    fix: 'add it to a JSON file named by MODEL_SETTINGS (docs/models.md)',
  });
});

it('shows what makes each model think in each stage, because thoughts cost money', () => {
  const environment = {
    MODEL: 'anthropic/claude-opus-4-7, compatible/local',
    MODEL_BASE_URL: local.MODEL_BASE_URL,
    MODEL_TRIAGE: 'anthropic/claude-haiku-4-5',
    MODEL_EFFORT_REVIEW: 'max',
    ANTHROPIC_API_KEY: KEY,
  };
  expect(details(environment).filter((line) => line.includes(' effort: '))).toEqual([
    'ok effort: of anthropic/claude-haiku-4-5: triage: a budget of 4,096 tokens for thoughts (Claude 4.5)',
    'ok effort: of anthropic/claude-opus-4-7: plan, implement: effort high (Claude 4.7 and later); review: effort max (Claude 4.7 and later)',
    'ok effort: of compatible/local: plan, implement, review: nothing: its family is not in the table',
  ]);
});

it('shows it for each provider that has a prefix of its own', () => {
  const names = [
    ...['google/gemini-3.8-flash', 'vertex/gemini-2.5-pro', 'azure/gpt-5-mini', 'bedrock/us.anthropic.claude-opus-4-7'],
    ...['openrouter/openai/gpt-5', 'deepseek/deepseek-v4-pro', 'groq/openai/gpt-oss-120b', 'cerebras/gpt-oss-120b'],
    ...['mistral/mistral-medium-3-5', 'xai/grok-4.3'],
  ];
  const keys = names.map((name) => [`${name.split('/')[0]?.toUpperCase()}_API_KEY`, KEY]);
  const environment = { ...Object.fromEntries(keys), MODEL: names.join(', '), AZURE_BASE_URL: local.MODEL_BASE_URL };
  const lines = details({ ...environment, BEDROCK_BASE_URL: local.MODEL_BASE_URL });
  const shown = lines.filter((line) => line.includes(' effort: '));
  expect(shown.map((line) => /of (\S+): .*(?:effort|budget|thinking on)/.exec(line)?.[1])).toEqual(names);
});

it('reports a cost budget that cannot be enforced, with which the server does not start', () => {
  const limits = { ISSUE_BUDGET_USD: '5', ISSUE_BUDGET_TIME: '4h', ISSUE_BUDGET_FIXED: 'on' };
  expect(details({ ...local, ...limits })).toEqual([
    'ok models: compatible/local',
    'problem price: of compatible/local: unknown, so ISSUE_BUDGET_USD cannot be enforced and the server does not start',
    'ok effort: of compatible/local: triage, plan, implement, review: nothing: its family is not in the table',
    'ok budget: 2,000,000 tokens, 5.00 USD, 14,400 s of work per issue',
  ]);
});

it('reports an unusable price file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-doctor-'));
  try {
    const file = join(folder, 'prices.json');
    writeFileSync(file, '{');
    const [, price] = found({ ...local, MODEL_SETTINGS: file });
    expect(price).toMatchObject({ subject: 'price', state: 'problem', detail: expect.stringContaining(file) });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('calls each model server without its key, and counts a refusal as an answer', async () => {
  const asked: { url: string | undefined; headers: string }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url, headers: JSON.stringify(request.headers) });
    response.writeHead(401).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { models } = parseConfig({ ...local, MODEL_BASE_URL: address, MODEL_API_KEY: KEY });
  try {
    expect(await reachFindings(models)).toEqual([
      {
        subject: 'compatible models',
        state: 'ok',
        detail: `${address} answers (asked without its key)`,
        fix: null,
      },
    ]);
    expect(asked).toEqual([{ url: '/v1/models', headers: expect.not.stringContaining(KEY) }]);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  expect(await reachFindings(models)).toMatchObject([
    { state: 'problem', detail: `${address} does not answer (ECONNREFUSED)` },
  ]);
});

it('makes no call for the built-in model', async () => {
  expect(await reachFindings(parseConfig({}).models)).toEqual([]);
});

it('shows the window of each model: the one that its server tells, or that it is assumed', async () => {
  const server = createServer((request, response) => {
    const models = [{ id: 'local', max_model_len: 65_536 }, { id: 'other' }];
    if (request.url !== '/v1/models') return response.writeHead(404).end();
    return response.end(JSON.stringify({ data: models }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const MODEL_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const { models } = parseConfig({
      MODEL: 'compatible/local, compatible/other, anthropic/claude-sonnet-4-5',
      ANTHROPIC_API_KEY: KEY,
      MODEL_BASE_URL,
    });
    expect((await windowFindings(models)).map(({ state, detail }) => `${state} ${detail}`)).toEqual([
      'ok of compatible/local: 65,536 tokens, as its server says',
      'warning of compatible/other: 32,768 tokens are assumed, because its server does not say',
      expect.stringMatching(/^ok of anthropic\/claude-sonnet-4-5: [\d,]+ tokens$/),
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('shows whether each model calls a tool, how it was asked and what it refused, asked only on demand', async () => {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { model, stream_options } = JSON.parse(await text(request)) as { model: string; stream_options?: object };
    if (model === 'caller' && stream_options !== undefined)
      return response.writeHead(422).end('{"error": {"message": "stream_options: Extra inputs are not permitted"}}');
    asked.push(model);
    if (model === 'unknown') return response.writeHead(404).end('{"error": {"message": "no such model"}}');
    const call = {
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name: 'report_word', arguments: '{"word":"ready"}' },
    };
    const delta = model !== 'writer' ? { tool_calls: [call] } : { content: '<tool_call>{"word":"ready"}</tool_call>' };
    const choice = { index: 0, delta, finish_reason: model === 'writer' ? 'stop' : 'tool_calls' };
    const completion_tokens_details = { reasoning_tokens: 4 };
    const usage = { prompt_tokens: 180, completion_tokens: 9, total_tokens: 189, completion_tokens_details };
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    return response.end(`data: ${JSON.stringify({ id: '1', choices: [choice], usage })}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const MODEL_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const { models } = parseConfig({
      MODEL: 'compatible/caller, compatible/writer, compatible/unknown, compatible/gpt-oss',
      MODEL_BASE_URL,
    });
    expect((await toolFindings(models, false)).map(({ state, detail }) => `${state} ${detail}`)).toEqual([
      expect.stringMatching(/^ok not tried; --try-models /),
    ]);
    expect(asked).toEqual([]);
    expect((await toolFindings(models, true)).map(({ state, detail }) => `${state} ${detail}`)).toEqual([
      expect.stringMatching(
        /^ok of compatible\/caller: it called the tool \(\d+\.\d s, 189 tokens, 4 of them thoughts; refused by its server, so from now on: stream_options left out\)$/,
      ),
      'problem of compatible/writer: it did not call the tool that it was told to call (189 tokens, 4 of them thoughts; sent: stream_options {"include_usage":true})',
      expect.stringMatching(/^problem of compatible\/unknown: .*no such model/),
      expect.stringMatching(
        /^ok of compatible\/gpt-oss: it called the tool \(\d+\.\d s, 189 tokens, 4 of them thoughts; sent: .*reasoning_effort "high".*\)$/,
      ),
    ]);
    expect(asked.sort()).toEqual(['caller', 'gpt-oss', 'unknown', 'writer']);
    expect(await toolFindings(parseConfig({}).models, true)).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
