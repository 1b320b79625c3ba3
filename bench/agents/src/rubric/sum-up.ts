import { renderMean, type SampleMean, sampleMean } from '../report/sample-mean.ts';
import type { BenchResult } from '../run/trial-record.ts';
import { changeId } from './review-sample.ts';
import { type RubricAnswers, rubric } from './rubric.ts';

/** What people say of an agent's changes. */
export interface RubricSummary {
  readonly agent: string;
  readonly changes: number;
  /** The share that would be merged as it is, with its 95 % interval over changes. */
  readonly merged: SampleMean;
  /** The share of the changes with passing hidden tests that people would merge unchanged; null when none passes. */
  readonly mergedOfSolved: number | null;
  /** By question, how often each answer was given. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Joins the answers of all reviewers with the agents. Where several judged one change, each has an equal part in it. */
export function sumUp(result: BenchResult, files: readonly RubricAnswers[]): RubricSummary[] {
  const byChange = Map.groupBy(
    files.flatMap(({ answers }) => answers),
    ({ change }) => change,
  );
  const judged = result.trials.flatMap((trial) => {
    const answers = byChange.get(changeId(result, trial));
    return answers === undefined ? [] : [{ trial, answers }];
  });
  return [...Map.groupBy(judged, ({ trial }) => trial.agent)].map(([agent, own]) => {
    const merges = (one: (typeof own)[number]) =>
      one.answers.filter(({ merge }) => merge === rubric[0].answers[0]).length / one.answers.length;
    const solved = own.filter(({ trial }) => trial.outcome === 'solved');
    const all = own.flatMap(({ answers }) => answers);
    return {
      agent,
      changes: own.length,
      merged: sampleMean(own.map(merges), 0),
      mergedOfSolved: solved.length === 0 ? null : solved.reduce((sum, one) => sum + merges(one), 0) / solved.length,
      answers: Object.fromEntries(
        rubric.map(({ id, answers }) => [
          id,
          Object.fromEntries(answers.map((answer) => [answer, all.filter((one) => one[id] === answer).length])),
        ]),
      ),
    };
  });
}

/** The summaries as a table in Markdown. */
export function renderRubric(summaries: readonly RubricSummary[]): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const rows = summaries.map(({ agent, changes, merged, mergedOfSolved, answers }) => {
    const counts = rubric.slice(1).map(({ id }) => Object.values(answers[id] ?? {}).join(' / '));
    const ofSolved = mergedOfSolved === null ? '–' : percent(mergedOfSolved);
    return `| ${[agent, String(changes), renderMean(merged), ofSolved, ...counts].join(' | ')} |`;
  });
  const heads = [
    'agent',
    'changes',
    'merged as it is (95 %)',
    'of those that pass',
    ...rubric.slice(1).map(({ id }) => id),
  ];
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows, ''].join('\n');
}
