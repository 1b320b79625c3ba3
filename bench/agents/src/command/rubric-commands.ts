import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { renderReviewPage } from '../rubric/review-page.ts';
import { changeId, reviewSample } from '../rubric/review-sample.ts';
import { type RubricAnswers, rubricAnswers } from '../rubric/rubric.ts';
import { renderRubric, sumUp } from '../rubric/sum-up.ts';
import { type BenchResult, benchResult } from '../run/trial-record.ts';
import { readJson, readText } from '../usage/read-json.ts';
import { UsageError, wholeNumber } from '../usage/usage-error.ts';

const USAGE = 'Say which run: review-page --run FOLDER, or sum-up --run FOLDER ANSWERS.json …';

/** Writes the page on which people judge a sample of a run's changes. */
export function reviewPageCommand(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: {
      run: { type: 'string' },
      sample: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
    },
  });
  if (values.run === undefined) throw new UsageError(USAGE);
  const folder = resolve(values.run);
  const result = readResult(folder);
  const sample = reviewSample(result, {
    size: wholeNumber('--sample', values.sample),
    seed: wholeNumber('--seed', values.seed),
  });
  const changes = sample.map((trial) => ({
    id: changeId(result, trial),
    instruction: readText(join(folder, trial.folder, 'instruction.md')),
    patch: readText(join(folder, trial.folder, 'change.patch')),
    tests: trial.tests,
  }));
  const page = join(folder, 'review.html');
  writeFileSync(page, renderReviewPage(changes));
  process.stdout.write(`${page}\n`);
  return 0;
}

/** Prints what the answers of all reviewers say. */
export function sumUpCommand(args: string[]): number {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { run: { type: 'string' } } });
  if (values.run === undefined || positionals.length === 0) throw new UsageError(USAGE);
  const result = readResult(resolve(values.run));
  const files = positionals.map((file) => readJson(file, rubricAnswers));
  const [known, ids] = [new Set(result.trials.map((trial) => changeId(result, trial))), answeredIn(files)];
  const strange = ids.find((id) => !known.has(id));
  if (strange !== undefined)
    throw new UsageError(`The change ${strange} is not of this run: the answers are to another.`);
  process.stdout.write(renderRubric(sumUp(result, files)));
  return 0;
}

function readResult(folder: string): BenchResult {
  const file = join(folder, 'result.json');
  if (!existsSync(file)) throw new UsageError(`There is no result in ${folder}. A run writes it when it ends.`);
  return readJson(file, benchResult);
}

function answeredIn(files: readonly RubricAnswers[]): string[] {
  return files.flatMap(({ answers }) => answers.map(({ change }) => change));
}
