import type { BenchResult } from '../run/trial-record.ts';
import { MIN_SAMPLES, renderMean, renderPoints, type SampleMean } from './sample-mean.ts';
import { type AgentSummary, compare, summarize } from './summary.ts';

const NOISE_POINTS = 3; // what the same agent differs by between days and machines

/** A result as a page in Markdown. */
export function renderResult(result: BenchResult): string {
  const agents = summarize(result);
  const rows = agents.map((one) => [
    one.agent,
    one.solved === null ? '–' : renderMean(one.solved),
    String(one.trials),
    String(one.errors),
    String(one.infrastructure),
    one.turns.toFixed(1),
    `${(one.inputTokens / 1_000).toFixed(1)}k`,
    `${Math.round(one.cachedShare * 100)} %`,
    `${(one.outputTokens / 1_000).toFixed(1)}k`,
    `${one.seconds.toFixed(0)} s`,
    costOf(one),
  ]);
  return [
    `# ${result.invalid_because.length === 0 ? 'Result' : 'INVALID result'}`,
    '',
    ...(result.invalid_because.length === 0
      ? []
      : ['The controls failed, so nothing below counts:', '', ...result.invalid_because.map((why) => `- ${why}`), '']),
    `Model ${result.model ?? 'none'}, training data until ${result.model_cut_off ?? 'an unknown day'}. Sluice`,
    `${result.commit.slice(0, 12)}${result.is_modified ? ' with changes' : ''}, ${result.made_at.slice(0, 10)}.`,
    `${result.tasks.length} tasks, ${result.runs} runs each. ${resourcesOf(result)}`,
    ...Object.entries(result.prompt_hashes).map(
      ([name, hash]) => `Prompts of ${name}: ${hash?.slice(0, 12) ?? 'none'}.`,
    ),
    '',
    ...table(
      [
        'agent',
        'solved (95 %)',
        'trials',
        'errors',
        'infrastructure',
        'turns',
        'input',
        'cached',
        'output',
        'time',
        'cost',
      ],
      rows,
    ),
    '',
    ...comparisons(result),
    ...table(
      ['task', 'date', 'after the cut-off', 'language', ...agents.map(({ agent }) => agent)],
      result.tasks.map(({ id, date, language }) => [
        id,
        date,
        result.model_cut_off === null ? 'unknown' : date > result.model_cut_off ? 'yes' : 'NO',
        language,
        ...agents.map(({ agent }) => solvedOf(result, id, agent)),
      ]),
    ),
    '',
  ].join('\n');
}

function comparisons(result: BenchResult): string[] {
  const found = compare(result, 'sluice', 'bash');
  if (found === null) return [];
  const difference = renderPoints(found.difference);
  return [
    `Solved by Sluice minus solved by the bash loop, paired over ${found.tasks} tasks: ${difference}. ${meaningOf(found.difference)}`,
    '',
  ];
}

function meaningOf({ mean, interval }: SampleMean): string {
  if (interval === null) return `That shows nothing: an interval needs at least ${MIN_SAMPLES} tasks.`;
  if (interval.low <= 0 && interval.high >= 0) return 'The interval holds 0: these runs show no difference.';
  if (Math.abs(mean * 100) >= NOISE_POINTS) return 'The interval does not hold 0.';
  return `Less than ${NOISE_POINTS} points are within what the same agent differs by between machines.`;
}

function costOf({ costUsd, costTrials, trials }: AgentSummary): string {
  if (costUsd === null) return 'unknown';
  return `$${costUsd.toFixed(3)}${costTrials < trials ? ` (of ${costTrials})` : ''}`;
}

function solvedOf({ trials }: BenchResult, task: string, agent: string): string {
  const own = trials.filter((trial) => trial.task === task && trial.agent === agent);
  const counted = own.filter(({ outcome }) => outcome !== 'infrastructure');
  return `${counted.filter(({ outcome }) => outcome === 'solved').length} of ${counted.length}`;
}

function resourcesOf({ resources }: BenchResult): string {
  const { cpus, memory_bytes, platform, node, at_once } = resources;
  return `${cpus} processors, ${(memory_bytes / 1_024 ** 3).toFixed(0)} GiB, ${platform}, Node ${node}, ${at_once} at once.`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
}
