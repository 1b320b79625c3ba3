import type { ModelChoice } from '@sluice/agents';
import { BASH_LIMITS } from '../agent/bash-loop.ts';
import type { ModelAgentName } from '../run/run-bench.ts';
import { bashWork, type Expense, expenseOf, SLUICE_MORE } from './assumed-work.ts';

/** A run that has not begun. */
export interface PlannedRun {
  readonly tasks: number;
  readonly runs: number;
  readonly agents: readonly ModelAgentName[];
}

/** From little to much work. */
interface Range {
  readonly little: Expense;
  readonly much: Expense;
}

/** What a run would ask of each model and cost there, with what that assumes, as text for people. */
export function renderEstimate(run: PlannedRun, models: readonly ModelChoice[]): string {
  const trials = run.tasks * run.runs;
  const rows = models.flatMap((choice) => {
    const ranges = run.agents.map((agent) => ({ who: agent as string, range: rangeOf(run, agent, choice) }));
    const all = ranges.length < 2 ? [] : [{ who: 'together', range: together(ranges.map(({ range }) => range)) }];
    return [...ranges, ...all].map(({ who, range }) => rowOf(choice.name, who, range));
  });
  const unpriced = models.filter((choice) => rangeOf(run, 'bash', choice).much.usd === null);
  return [
    `${count(run.tasks, 'task')} × ${count(run.runs, 'run')} × ${count(run.agents.length, 'agent')} = ${count(trials * run.agents.length, 'trial')}. The controls ask no model. Nothing was asked yet.`,
    '',
    '| model | agent | requests | input tokens | output tokens | US dollars |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...unpriced.map((choice) => `No price of ${choice.name} is known here. Set it in MODEL_SETTINGS to see dollars.`),
    ...ASSUMPTIONS.map((line) => `- ${line}`),
    '',
  ].join('\n');
}

/** The same in one sentence, for a run that begins now. */
export function estimateSentence(run: PlannedRun, choice: ModelChoice): string {
  const { little, much } = together(run.agents.map((agent) => rangeOf(run, agent, choice)));
  const price = much.usd === null ? 'its price is not known here' : `about ${dollars({ little, much })} US dollars`;
  return `${choice.name} will be asked ${whole(little.requests)} to ${whole(much.requests)} times, ${price}; --estimate prints what that assumes.`;
}

const { little, much } = bashWork;
const ASSUMPTIONS = [
  `Little: a trial of the bare loop takes ${little.requests} requests that grow by ${whole(little.addedTokens)} tokens each, with answers of ${whole(little.answerTokens)}: a small fix, as bench:economy measures it.`,
  `Much: ${much.requests} requests that grow by ${whole(much.addedTokens)} tokens each, with answers of ${whole(much.answerTokens)}, thoughts included. A model that thinks longer takes more.`,
  `Sluice takes ${SLUICE_MORE.requests} requests and ${Math.round((SLUICE_MORE.tokens - 1) * 100)} % of tokens more, which its own test of the economy allows at most.`,
  'What a request repeats of the one before is read from the cache of the vendor, where the price list has a price for that.',
  `The bare loop ends a trial at ${BASH_LIMITS.costUsd} dollars, where the price is known, and at ${BASH_LIMITS.turns} requests; Sluice at ISSUE_BUDGET_TOKENS or ISSUE_BUDGET_USD.`,
  'Prices are the list prices that come with Sluice, or those of MODEL_SETTINGS. Repeated requests after failures are not in it.',
  'It is a guess. A run of one task (--only NAME --runs 1) shows your real figure: result.md has the cost of a trial.',
];

function rangeOf({ tasks, runs }: PlannedRun, agent: ModelAgentName, choice: ModelChoice): Range {
  const times = (expense: Expense): Expense => ({
    requests: expense.requests * tasks * runs,
    inputTokens: expense.inputTokens * tasks * runs,
    outputTokens: expense.outputTokens * tasks * runs,
    usd: expense.usd === null ? null : expense.usd * tasks * runs,
  });
  return {
    little: times(expenseOf(agent, bashWork.little, choice)),
    much: times(expenseOf(agent, bashWork.much, choice)),
  };
}

function together(ranges: readonly Range[]): Range {
  const sum = (side: keyof Range): Expense =>
    ranges.reduce<Expense>(
      (total, range) => {
        const { requests, inputTokens, outputTokens, usd } = range[side];
        return {
          requests: total.requests + requests,
          inputTokens: total.inputTokens + inputTokens,
          outputTokens: total.outputTokens + outputTokens,
          usd: total.usd === null || usd === null ? null : total.usd + usd,
        };
      },
      { requests: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
    );
  return { little: sum('little'), much: sum('much') };
}

function rowOf(model: string, who: string, range: Range): string {
  const between = (figure: (expense: Expense) => number, render = whole) =>
    `${render(figure(range.little))} to ${render(figure(range.much))}`;
  const cells = [
    model,
    who,
    between(({ requests }) => requests),
    between(({ inputTokens }) => inputTokens, compact),
    between(({ outputTokens }) => outputTokens, compact),
    range.much.usd === null ? 'unknown' : dollars(range),
  ];
  return `| ${cells.join(' | ')} |`;
}

function dollars({ little, much }: Range): string {
  const shown = (usd: number | null) => (usd ?? 0).toFixed((usd ?? 0) < 10 ? 2 : 0);
  return `${shown(little.usd)} to ${shown(much.usd)}`;
}

function whole(figure: number): string {
  return Math.round(figure).toLocaleString('en-US');
}

/** `154M`: more digits would promise too much. */
function compact(figure: number): string {
  return figure.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
