import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { renderReviewPage } from '../rubric/review-page.ts';
import { changeId, reviewSample } from '../rubric/review-sample.ts';
import { rubricAnswers } from '../rubric/rubric.ts';
import { renderRubric, sumUp } from '../rubric/sum-up.ts';
import { type BenchResult, benchResult } from '../run/trial-record.ts';

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
  if (values.run === undefined) return usage();
  const folder = resolve(values.run);
  const result = readResult(folder);
  const sample = reviewSample(result, { size: Number(values.sample), seed: Number(values.seed) });
  const changes = sample.map((trial) => ({
    id: changeId(result, trial),
    instruction: readFileSync(join(folder, trial.folder, 'instruction.md'), 'utf8'),
    patch: readFileSync(join(folder, trial.folder, 'change.patch'), 'utf8'),
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
  if (values.run === undefined || positionals.length === 0) return usage();
  const files = positionals.map((file) => rubricAnswers.parse(JSON.parse(readFileSync(file, 'utf8'))));
  process.stdout.write(renderRubric(sumUp(readResult(resolve(values.run)), files)));
  return 0;
}

function readResult(folder: string): BenchResult {
  return benchResult.parse(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')));
}

function usage(): number {
  process.stderr.write('Say which run: review-page --run FOLDER, or sum-up --run FOLDER ANSWERS.json …\n');
  return 2;
}
