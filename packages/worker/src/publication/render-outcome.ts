import type { Implementation, Review, TestReport } from '@sluice/core/pipeline';
import { renderUncounted, testFacts } from '@sluice/core/pipeline';
import { neutralCode, neutralProse, neutralQuote } from '@sluice/core/text';
import type { WorkspaceDiff } from '@sluice/core/workspace';

const MAX_FILES = 100; // the change itself lists them all
const MAX_NAMES = 30;
const LINE = 1_000;
const PATH = 300;
export const SHORT_COMMIT = 12;

type Change = Pick<WorkspaceDiff, 'base_commit' | 'head_commit' | 'files'>;

export function changeSection({ files }: Change, implementation: Implementation | null): string[] {
  const sum = (lines: (file: (typeof files)[number]) => number) => files.reduce((all, file) => all + lines(file), 0);
  const outside = implementation?.outside_plan ?? [];
  return [
    '## Changes',
    '',
    ...(implementation === null ? [] : [...neutralQuote(implementation.summary, 2 * LINE), '']),
    `${files.length === 1 ? '1 file' : `${files.length} files`}, +${sum((file) => file.additions)} −${sum((file) => file.deletions)}:`,
    '',
    ...most(files, (file) => `- ${neutralCode(file.path, PATH)} +${file.additions} −${file.deletions}`),
    '',
    ...(outside.length === 0
      ? []
      : [
          'Outside the plan:',
          '',
          ...most(
            outside,
            ({ path, reason }) =>
              `- ${neutralCode(path, PATH)}: ${reason === null ? 'no reason was given' : neutralProse(reason, LINE)}`,
          ),
          '',
        ]),
  ];
}

/** The verdict of the tests as a sentence. */
export const verdictSentences = {
  green: 'The tests pass.',
  red_as_before: 'The tests fail as they did before the change. There are no new failures.',
  red: 'The tests fail.',
} as const satisfies Record<TestReport['verdict'], string>;

export function testSection({ base_commit, head_commit }: Change, tests: TestReport | null): string[] {
  if (tests === null)
    return ['## Tests', '', 'No tests were run, because the repository has no known test command.', ''];
  const uncounted = renderUncounted(tests);
  const at = (name: string, commit: string | null, exit: number | null) =>
    `- at the ${name} (${(commit ?? '').slice(0, SHORT_COMMIT)}): ${exit === null ? 'no result' : `exit code ${exit}`}`;
  return [
    '## Tests',
    '',
    `${neutralCode(tests.command, PATH)}: ${uncounted[0] ?? verdictSentences[tests.verdict]}`,
    '',
    at('base', base_commit, tests.base_exit_code),
    at('head', head_commit, tests.exit_code),
    ...tests.new_failures.slice(0, MAX_NAMES).map((name) => `- new failure: ${neutralCode(name, PATH)}`),
    ...testFacts(tests)
      .filter((fact) => !uncounted.includes(fact))
      .map((fact) => `- ${neutralProse(fact, LINE)}`),
    '',
  ];
}

export function reviewSection(review: Review | null): string[] {
  if (review === null) return [];
  const verdict =
    review.decision === 'approve' ? 'The reviewer approved the change:' : 'The reviewer asked for changes:';
  return [
    '## Review',
    '',
    verdict,
    '',
    ...neutralQuote(review.summary, 2 * LINE),
    '',
    ...review.findings.slice(0, MAX_NAMES).map((finding) => `- ${neutralProse(finding, LINE)}`),
    ...(review.findings.length === 0 ? [] : ['']),
  ];
}

function most<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more = items.length - MAX_FILES;
  return [...items.slice(0, MAX_FILES).map(line), ...(more > 0 ? [`- and ${more} more`] : [])];
}
