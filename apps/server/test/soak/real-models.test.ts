import { spawnSync } from 'node:child_process';
import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import type { Usage } from '@sluice/core/pipeline';
import { isSoakRun } from '@sluice/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { byRole, call, finish, planAnswer, reviewAnswer, roundOf, triageAnswer } from '../model-answers.ts';
import { beginModelIssue } from '../model-issue.ts';
import {
  keyOf,
  type ModelAnswer,
  type ModelProvider,
  type ModelRequest,
  type ModelScript,
  modelNames,
  modelProviders,
} from '../model-server.ts';
import { makeScratchRepo } from '../scratch-repo.ts';
import { CACHED } from '../wire-tap.ts';

const TOTAL = `import { DISCOUNT } from './rules.js';

/** The price of a line of an order, in cents. */
export function lineTotal(unitPrice, count) {
  return unitPrice * count;
}
`;

const TEST = `import assert from 'node:assert';
import test from 'node:test';
import { lineTotal } from './total.js';

test('nine pieces stay at full price', () => assert.equal(lineTotal(100, 9), 900));
test('ten pieces cost ten percent less', () => assert.equal(lineTotal(100, 10), 900));
`;

const makeShop = () =>
  makeScratchRepo({
    'package.json': '{ "type": "module" }\n',
    Makefile: 'test:\n\tnode --test\n',
    'src/rules.js': 'export const DISCOUNT = 0.1;\n',
    'src/total.js': TOTAL,
    'src/total.test.js': TEST,
  });

const issue = {
  title: 'Large orders get no discount',
  body: 'Who takes ten or more of something should pay ten percent less, but the total stays the same. Nine stay at full price.',
};

/** Whole lines, so that it can be told as a patch too. */
const edit = (old_text: string, new_text: string) => call('edit_file', { path: 'src/total.js', old_text, new_text });
const earlyLine = '  const share = count >= 9 ? 1 - DISCOUNT : 1;';
const tooEarly = `${earlyLine}\n  return unitPrice * count * share;`;
const finding = 'src/total.js:6: 3 × 10 × 0.9 is no whole number of cents for every price: round it.';
const MENDED = TOTAL.replace(
  '  return unitPrice * count;',
  '  const share = count >= 10 ? 1 - DISCOUNT : 1;\n  return Math.round(unitPrice * count * share);',
);

/** Every environment that a command can see, its own and those of other processes. */
const lookAround = "env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'";

/** Its first change leaves a test red, its second has a fault that the reviewer sees, its third is right. */
const rounds: readonly (readonly ModelAnswer[])[] = [
  [
    { text: 'I look first.', calls: [call('read_file', { path: 'src/total.js' })] },
    { calls: [edit('  return unitPrice * count;', tooEarly), call('run_command', { command: lookAround })] },
    finish('Large orders get their discount.'),
  ],
  [{ calls: [edit(earlyLine, earlyLine.replace('9', '10'))] }, finish('It begins at ten pieces now.')],
  [
    { calls: [edit('  return unitPrice * count * share;', '  return Math.round(unitPrice * count * share);')] },
    finish('The total is a whole number of cents.'),
  ],
];

const planning: readonly ModelAnswer[] = [
  {
    text: 'Where are totals made?',
    calls: [
      call('search_text', { pattern: 'lineTotal' }),
      call('find_code', { query: 'discount on a line of an order' }),
    ],
  },
  { calls: [call('outline', { path: 'src/total.js' }), call('read_file', { path: 'src/rules.js' })] },
  planAnswer(['src/total.js'], 'Lines of ten pieces and more get the discount.'),
];

const script: ModelScript = async (request) => {
  const answer = await byRole({
    triager: triageAnswer,
    planner: ({ turn }) => planning[turn] ?? {},
    coder: ({ turn }) => rounds[roundOf(request) - 1]?.[turn] ?? {},
    reviewer: ({ turn, texts }) =>
      turn === 0
        ? { text: 'I read it as it is now.', calls: [call('read_file', { path: 'src/total.js' })] }
        : reviewAnswer(texts.join('\n').includes('Math.round') ? [] : [finding]),
  })(request);
  // No two roles and turns use the same, so that no sum is right by chance.
  const input = 2_000 + 137 * request.turn + 1_001 * request.role.length;
  return { ...answer, usage: { input, output: 50 + 7 * request.turn + request.role.length } };
};

type Used = Pick<Usage, 'input_tokens' | 'output_tokens'>;

/** USD per million tokens, from the vendors' lists. */
const prices = {
  anthropic: { input: 3, read: 0.3, write: 3.75, output: 15 },
  openai: { input: 1.25, read: 0.125, write: 0, output: 10 },
  compatible: null,
};

/** By hand, from what the model said that it used. */
function costOf(provider: ModelProvider, answers: readonly { input: number; output: number }[]): number | null {
  const price = prices[provider];
  if (price === null) return null;
  const written = provider === 'anthropic' ? CACHED.write : 0;
  return answers.reduce((sum, { input, output }) => {
    const plain = input - CACHED.read - written;
    const usd = plain * price.input + CACHED.read * price.read + written * price.write + output * price.output;
    return sum + usd / 1_000_000;
  }, 0);
}

function tokensOf(answers: readonly { input: number; output: number }[]): Used {
  return {
    input_tokens: answers.reduce((sum, { input }) => sum + input, 0),
    output_tokens: answers.reduce((sum, { output }) => sum + output, 0),
  };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

// The adapters of all have tests of their own.
it.each(modelProviders.slice(0, isSoakRun ? modelProviders.length : 1))(
  'takes an issue in plain words to a branch through %s, and records every step',
  async (provider) => {
    const repo = makeShop();
    let dataDir = '';
    // An operator sets the key in the environment, which commands would inherit.
    vi.stubEnv('ANTHROPIC_API_KEY', keyOf(provider));
    const whileReviewed: string[] = [];
    await using it = await beginModelIssue({
      provider,
      repo,
      issue,
      environment: { METRICS_PORT: '0', LOG_LEVEL: 'trace' },
      script: (request) => {
        // The working tree is there now, and gone in the end.
        if (request.role === 'reviewer') whileReviewed.push(...filesWith(dataDir, keyOf(provider)));
        return script(request);
      },
    });
    dataDir = it.server.dataDir;
    const { models, person, id } = it;
    await it.approve();
    const done = await person.reaches(id, 'completed');

    // The branch.
    const branch = done.result?.branch ?? '';
    expect(repo.git('show', `${branch}:src/total.js`)).toBe(MENDED.trim());
    expect(repo.git('diff', '--name-only', 'main', branch)).toBe('src/total.js');
    expect(repo.git('rev-parse', branch)).toBe(done.result?.head_commit);
    expect(repo.git('rev-parse', `${branch}~1`)).toBe(repo.git('rev-parse', 'main'));
    expect(done.result?.tests).toMatchObject({ verdict: 'green', new_failures: [] });
    expect(done.result?.summary).toContain(`Made by: ${provider}/${modelNames[provider]}.`);

    // The story.
    const events = await person.events(id);
    expect(events.map((event) => 'seq' in event && event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.flatMap(told)).toEqual(
      story(`${provider}/${modelNames[provider]}`, branch).map((line) => line.replace('edit_file', editorOf(provider))),
    );
    const calls = events.flatMap((event) => (event.type === 'agent.tool_call' ? [event.data.call_id] : []));
    expect(events.flatMap((event) => (event.type === 'agent.tool_result' ? [event.data.call_id] : []))).toEqual(calls);
    expect(new Set(calls).size).toBe(calls.length);

    // What was offered and sent.
    expect(models.requests()).toHaveLength(1 + 3 + (3 + 2 + 2) + (2 + 2));
    for (const { role, tools } of models.requests()) expect(tools.toSorted()).toEqual(toolsOf(provider, role));
    const sent = (role: string, at: number) =>
      models
        .requests()
        .filter((request) => request.role === role && request.turn === 0)
        [at]?.texts.join('\n');
    expect(sent('coder', 1)).toMatch(/<feedback>.*nine pieces stay at full price.*<\/feedback>/s);
    expect(sent('coder', 2)).toContain(finding);
    expect(sent('reviewer', 0)).toContain('make test: green');
    for (const role of ['planner', 'coder', 'reviewer']) {
      const environment = /<environment>.*<\/environment>/s.exec(sent(role, 0) ?? '')?.[0];
      expect(environment).toMatch(/^Versions: .*GNU Make/m);
      expect(environment).toContain('Test command (detected): `make test`\nTests at the base, before any change: ');
    }

    // Usage and cost.
    const used = models.used();
    expect(done.usage).toMatchObject(tokensOf(used));
    expectCost(done.usage.cost_usd, costOf(provider, used));
    const steps = await person.call<{ items: { agent: string; usage: Usage | null }[] }>(
      'GET',
      `/api/issues/${id}/steps`,
    );
    for (const role of ['triager', 'planner', 'coder', 'reviewer'] as const) {
      const usages = steps.body.items.flatMap(({ agent, usage }) => (agent === role && usage !== null ? [usage] : []));
      const own = used.filter((answer) => answer.role === role);
      expect(sum(usages)).toMatchObject(tokensOf(own));
      expectCost(sum(usages).cost_usd, costOf(provider, own));
    }
    const metrics = await (await fetch(it.server.metricsUrl ?? '')).text();
    expect(figure(metrics, 'sluice_model_answers_total')).toBe(used.length);
    expect(figure(metrics, 'sluice_model_tokens_total', 'direction="input"')).toBe(done.usage.input_tokens);
    expect(figure(metrics, 'sluice_model_tokens_total', 'direction="output"')).toBe(done.usage.output_tokens);
    expectCost(figure(metrics, 'sluice_model_cost_usd_total'), costOf(provider, used) ?? 0);
    expect(figure(metrics, 'sluice_model_answers_without_price_total')).toBe(
      provider === 'compatible' ? used.length : 0,
    );

    // The key.
    const output = models.requests().flatMap(({ results }) => results);
    expect(output.join('\n')).toMatch(/^PATH=/m);
    expect(models.bodies()).not.toContain(keyOf(provider));
    expect(JSON.stringify([events, done, steps.body])).not.toContain(keyOf(provider));
    expect([...whileReviewed, ...filesWith(dataDir, keyOf(provider))]).toEqual([]);
    expect(filesWith(dataDir, 'nine pieces stay at full price')).not.toEqual([]); // it does find what is there
  },
);

const reading = ['find_code', 'list_files', 'outline', 'read_file', 'search_text'];
const writing = ['delete_file', 'rename_symbol', 'replace_in_files', 'run_command', 'write_file'];

function editorOf(provider: ModelProvider): string {
  return provider === 'openai' ? 'apply_patch' : 'edit_file';
}

function toolsOf(provider: ModelProvider, role: ModelRequest['role']): readonly string[] {
  const tools: Record<ModelRequest['role'], readonly string[]> = {
    triager: [],
    planner: [...reading, 'submit_plan'],
    coder: [...reading, ...writing, editorOf(provider), 'finish'],
    reviewer: [...reading, 'submit_review'],
  };
  return tools[role].toSorted();
}

/** An event in one line; people's input and plain counts are left out. */
function told(event: IssueEvent | LiveEvent): string[] {
  switch (event.type) {
    case 'issue.status':
      return [`${event.data.from} -> ${event.data.to}`];
    case 'stage.completed':
      // How many the search found beside is its own business.
      return [`${event.data.stage}: ${event.data.detail?.replace(/ \(among \d+\)$/, '') ?? 'done'}`];
    case 'stage.failed':
      return [`${event.data.stage} failed: ${event.data.detail}`];
    case 'agent.message':
      return [`${event.data.agent}: ${event.data.text}`];
    case 'agent.tool_call':
      return [`${event.data.agent} calls ${event.data.tool}`];
    case 'agent.tool_result':
      return [`${event.data.tool} ${event.data.ok ? 'answers' : 'refuses'}`];
    case 'command.finished':
      return [`$ ${event.data.command}: ${event.data.exit_code}`];
    case 'plan.created':
    case 'review.requested':
    case 'review.decided':
    case 'result.published':
      return [event.type];
    default:
      return [];
  }
}

function story(model: string, branch: string): readonly string[] {
  return [
    'pending -> running',
    '$ make test: 2',
    'service: The tests ran at the base, before any change: they fail there.',
    'prepare: done',
    'index: 5 files, 5 chunks',
    'triager: What is broken is to be mended.',
    `triage: ${model}`,
    'planner: Where are totals made?',
    'planner calls search_text',
    'planner calls find_code',
    'search_text answers',
    'find_code answers',
    'planner calls outline',
    'planner calls read_file',
    'outline answers',
    'read_file answers',
    'planner: Lines of ten pieces and more get the discount.',
    `plan: ${model}`,
    'plan.created',
    'review.requested',
    'running -> human_review',
    'human_review -> awaiting_approval',
    'review.decided',
    'awaiting_approval -> running',
    'coder: I look first.',
    'coder calls read_file',
    'read_file answers',
    'coder calls edit_file',
    'coder calls run_command',
    'edit_file answers',
    `$ ${lookAround}: 0`,
    'run_command answers',
    'coder: Large orders get their discount.',
    `implement: ${model}`,
    '$ make test: 2',
    ...[2, 3].flatMap((run) => [
      `service: The tests are run again (run ${run} of 3), because a test may be flaky: src/total.test.js > nine pieces stay at full price.`,
      '$ make test: 2',
    ]),
    'test: red: sent back to the coder (1 of 3)',
    'coder calls edit_file',
    'edit_file answers',
    'coder: It begins at ten pieces now.\nNothing was run after the last change: The service runs the tests.',
    `implement: ${model}`,
    '$ make test: 0',
    'test: green',
    ...reviewing,
    `review: changes requested by ${model}: sent back to the coder (1 of 2)`,
    'coder calls edit_file',
    'edit_file answers',
    'coder: The total is a whole number of cents.\nNothing was run after the last change: The service runs the tests.',
    `implement: ${model}`,
    '$ make test: 0',
    'test: green',
    ...reviewing,
    `review: approved by ${model}`,
    `publish: branch ${branch}`,
    'result.published',
    'running -> completed',
  ];
}

const reviewing = [
  'reviewer: I read it as it is now.',
  'reviewer calls read_file',
  'read_file answers',
  'reviewer: I have looked at the change.',
];

function expectCost(found: number | null, wanted: number | null): void {
  if (wanted === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(wanted, 10);
}

function sum(usages: readonly Usage[]): Usage {
  const all = { input_tokens: 0, output_tokens: 0, cost_usd: 0 as number | null };
  for (const { input_tokens, output_tokens, cost_usd } of usages) {
    all.input_tokens += input_tokens;
    all.output_tokens += output_tokens;
    all.cost_usd = all.cost_usd === null || cost_usd === null ? null : all.cost_usd + cost_usd;
  }
  return all;
}

/** The sum of a counter over its labels, as far as they hold this one. */
function figure(metrics: string, name: string, label = ''): number {
  const lines = metrics.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/** The files below a folder that contain a text. Trees are removed meanwhile: that is no error of the search. */
function filesWith(folder: string, text: string): string[] {
  const { stdout } = spawnSync('grep', ['-rlasF', '-e', text, folder], { encoding: 'utf8' });
  return stdout.split('\n').filter((path) => path !== '');
}
