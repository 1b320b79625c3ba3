import { expect, it } from 'vitest';
import { renderResult } from '../src/report/render-result.ts';
import { sampleMean } from '../src/report/sample-mean.ts';
import { compare, summarize } from '../src/report/summary.ts';
import { renderReviewPage } from '../src/rubric/review-page.ts';
import { changeId, reviewSample } from '../src/rubric/review-sample.ts';
import { rubricAnswers } from '../src/rubric/rubric.ts';
import { renderRubric, sumUp } from '../src/rubric/sum-up.ts';
import { usageIn } from '../src/run/model-recorder.ts';
import { faultsOfControls } from '../src/run/run-bench.ts';
import type { BenchResult, TrialRecord } from '../src/run/trial-record.ts';

type Outcome = TrialRecord['outcome'];

function trial(task: string, agent: string, outcome: Outcome): TrialRecord {
  const use = { turns: 10, input_tokens: 1_000, cached_tokens: 600, output_tokens: 50, cost_usd: 0.01 };
  const ended = { ended: 'done', detail: '', tests: '', duration_ms: 2_000, folder: '' };
  return { task, agent, run: 1, outcome, ...ended, ...use };
}

function result(trials: readonly TrialRecord[], facts: Partial<BenchResult> = {}): BenchResult {
  const ids = [...new Set(trials.map(({ task }) => task))];
  return {
    schema: 1,
    started_at: '2026-11-01T00:00:00.000Z',
    made_at: '2026-11-01T01:00:00.000Z',
    commit: 'a'.repeat(40),
    is_modified: false,
    model: 'compatible/a-model',
    model_cut_off: '2026-06-30',
    prompt_hashes: { sluice: 'b'.repeat(64) },
    runs: 3,
    resources: { cpus: 2, memory_bytes: 8 * 1_024 ** 3, platform: 'linux-x64', node: 'v24', at_once: 1 },
    tasks: ids.map((id, at) => {
      return { id, repository: 'r', base_commit: 'c', date: at === 0 ? '2026-06-01' : '2026-08-01', language: 'go' };
    }),
    trials: [...trials],
    invalid_because: [],
    ...facts,
  };
}

const tasks = Array.from({ length: 20 }, (_, at) => `task-${at}`);
/** Sluice solves all but two tasks, bash all but six; runs of one task end alike. */
const twenty = tasks.flatMap((task, at) =>
  [1, 2, 3].flatMap((run) => [
    { ...trial(task, 'sluice', at < 2 ? 'unsolved' : 'solved'), run },
    { ...trial(task, 'bash', at < 6 ? 'unsolved' : 'solved'), run },
  ]),
);

it('averages over tasks, and leaves failures of the surroundings out of every share', () => {
  const trials = [...twenty, trial('task-0', 'sluice', 'infrastructure'), trial('task-1', 'bash', 'infrastructure')];
  const [sluice] = summarize({ trials });
  expect(sluice).toMatchObject({ agent: 'sluice', trials: 60, infrastructure: 1, turns: 10, cachedShare: 0.6 });
  expect(sluice?.solved?.mean).toBeCloseTo(0.9);
  expect(sluice?.costUsd).toBeCloseTo(0.01);
});

it('counts trials that an exception of the agent ended as unsolved, and shows them apart', () => {
  const trials = [trial('a', 'sluice', 'solved'), { ...trial('b', 'sluice', 'unsolved'), ended: 'error' }];
  expect(summarize({ trials })).toMatchObject([{ trials: 2, errors: 1, infrastructure: 0, solved: { mean: 0.5 } }]);
  expect(renderResult(result(trials))).toMatch(
    /\| trials \| errors \| infra.*\n.*\n\| sluice \| 50.0 % \| 2 \| 1 \| 0 \|/,
  );
});

it('compares agents by task, with an interval that runs of one task do not narrow', () => {
  const three = compare({ trials: twenty }, 'sluice', 'bash');
  expect(three?.difference.mean).toBeCloseTo(0.2);
  expect(three?.difference.interval?.low).toBeGreaterThan(0);
  const one = compare({ trials: twenty.filter(({ run }) => run === 1) }, 'sluice', 'bash');
  expect(one?.difference).toEqual(three?.difference);
  expect(compare({ trials: [] }, 'sluice', 'bash')).toBeNull();
});

it('gives a difference of shares in points, whichever agent is better', () => {
  const page = renderResult(result(twenty));
  expect(page).toMatch(
    /minus solved by the bash loop, paired over 20 tasks: 20\.0 points \(\d+\.\d to \d+\.\d\)\. The/,
  );
  const swapped = twenty.map((one) => ({ ...one, agent: one.agent === 'bash' ? 'sluice' : 'bash' }));
  expect(renderResult(result(swapped))).toMatch(/: -20\.0 points \(-\d+\.\d to -\d+\.\d\)\./);
});

it('claims nothing of few tasks, and no certainty where all end alike', () => {
  const few = renderResult(result(twenty.filter(({ task }) => /^task-[0-5]$/.test(task))));
  expect(few).toContain('| sluice | 66.7 % |');
  expect(few).toContain('That shows nothing: an interval needs at least 10 tasks.');
  expect(sampleMean(Array(20).fill(1), 0)).toEqual({ mean: 1, interval: { low: 0.85, high: 1 } });
  expect(sampleMean(Array(20).fill(0), 0)).toEqual({ mean: 0, interval: { low: 0, high: 0.15 } });
  expect(sampleMean(Array(20).fill(0), -1)).toEqual({ mean: 0, interval: { low: -0.15, high: 0.15 } });
});

it('says of how many trials the cost is known', () => {
  const trials = twenty.map((one, at) => (at === 0 ? { ...one, cost_usd: null } : one));
  expect(renderResult(result(trials))).toContain('| $0.010 (of 59) |');
});

it('says when an interval holds 0, which tasks a model may know, and that a price is unknown', () => {
  const even = twenty.map((one) => ({ ...one, outcome: 'solved' as const, cost_usd: null }));
  const page = renderResult(result(even));
  expect(page).toContain('these runs show no difference');
  expect(page).toContain('| task-0 | 2026-06-01 | NO | go | 3 of 3 | 3 of 3 |');
  expect(page).toContain('| task-1 | 2026-08-01 | yes | go |');
  expect(page).toContain('| unknown |');
});

it('calls a run invalid whose controls fail, whichever way', () => {
  const trials = [
    trial('a', 'oracle', 'unsolved'),
    trial('a', 'noop', 'unsolved'),
    trial('b', 'oracle', 'solved'),
    trial('b', 'noop', 'solved'),
    trial('c', 'oracle', 'infrastructure'),
  ];
  expect(faultsOfControls([{ id: 'a' }, { id: 'b' }, { id: 'c' }], trials)).toEqual([
    'a: the oracle is unsolved',
    'b: an agent that does nothing is solved',
    'c: the oracle is infrastructure',
    'c: an agent that does nothing is not run',
  ]);
  expect(renderResult(result(trials, { invalid_because: ['a: the oracle is unsolved'] }))).toContain('# INVALID');
});

it.each([
  [
    'Anthropic, which counts the cache beside the input',
    'data: {"usage":{"input_tokens":10,"cache_read_input_tokens":600,"cache_creation_input_tokens":90,"output_tokens":1}}\n\ndata: {"usage":{"output_tokens":40}}',
    { inputTokens: 700, cachedTokens: 600, outputTokens: 40 },
  ],
  [
    'OpenAI',
    '{"usage":{"input_tokens":700,"input_tokens_details":{"cached_tokens":600},"output_tokens":40}}',
    { inputTokens: 700, cachedTokens: 600, outputTokens: 40 },
  ],
  [
    'a compatible server',
    'data: {"usage":null}\n\ndata: {"usage": {"prompt_tokens": 700, "completion_tokens": 40, "prompt_tokens_details": {"cached_tokens": 600}}}',
    { inputTokens: 700, cachedTokens: 600, outputTokens: 40 },
  ],
  ['a server that says nothing of it', 'data: {"choices":[]}', { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }],
])('reads the usage of %s', (_, answer, use) => {
  expect(usageIn(answer)).toEqual(use);
});

it('shows people a sample of both agents that does not tell them apart, and sums up what they answer', () => {
  const run = result([...twenty, trial('task-0', 'oracle', 'solved'), trial('task-0', 'noop', 'unsolved')]);
  const sample = reviewSample(run, { size: 10, seed: 1 });
  expect(sample).toEqual(reviewSample(run, { size: 10, seed: 1 }));
  expect(sample).not.toEqual(reviewSample(run, { size: 10, seed: 2 }));
  expect(Map.groupBy(sample, ({ agent }) => agent).get('sluice')).toHaveLength(5);
  const page = renderReviewPage(
    sample.map((one) => ({ id: changeId(run, one), instruction: '<b>', patch: '+a & b\n-c', tests: '' })),
  );
  expect(page).toContain('<ins>+a &amp; b</ins>\n<del>-c</del>');
  expect(page).not.toMatch(/sluice|bash|<b>/);

  const answer = { correct: 'yes', tests: 'in part', scope: 'yes', style: 'mostly', minutes: 3 } as const;
  const answers = rubricAnswers.parse({
    reviewer: 'A person',
    answers: sample.map((one) => {
      return { ...answer, change: changeId(run, one), merge: one.agent === 'sluice' ? 'as it is' : 'no' };
    }),
  });
  // The run went on meanwhile, with trials that the surroundings had spoiled.
  const later = result([trial('task-late', 'sluice', 'solved'), ...run.trials], {
    made_at: '2026-11-02T00:00:00.000Z',
  });
  const summaries = sumUp(later, [answers]);
  expect(summaries.map(({ agent, merged, changes }) => [agent, merged.mean, changes]).sort()).toEqual([
    ['bash', 0, 5],
    ['sluice', 1, 5],
  ]);
  expect(renderRubric(summaries)).toContain('| sluice | 5 | 100.0 % |');
});
