import type { AgentInput } from '@sluice/core/agent';
import { type RanCommand, type TestReport, testFacts } from '@sluice/core/pipeline';
import { oneLine } from '@sluice/core/text';
import { diffSections, withLeanHeaders } from '../review/diff-lines.ts';
import { foldReplacement } from '../review/fold-replacement.ts';
import type { MechanicalFindings } from '../review/mechanical-findings.ts';
import { shortenDiff } from '../review/shorten-diff.ts';
import { fence } from '../tools/fence.ts';

const MAX_DIFF = 120_000; // characters, about 30,000 tokens; the model can read the files if it needs more
const DIFF_SHARE = 0.4; // of the model's room: files are read beside it
const REQUEST_SHARE = 0.7; // of the room, for the whole request where the rest of it is long
const MIN_DIFF = 4_000; // less shows nothing of a change

type ReviewedDiff = AgentInput['reviewer']['diff'];

interface DiffRoom {
  /** The characters that the model's whole request may have. */
  readonly room: number;
  /** The characters of the other sections. */
  readonly others: number;
}

/** The change: the diff as far as it fits, every file by name where it does not, and why files outside the plan were touched. */
export function changeSections({ diff, outsidePlan }: AgentInput['reviewer'], { room, others }: DiffRoom): string[] {
  const { diff: unfolded, folded } = foldReplacement(diff.diff);
  const left = Math.max(MIN_DIFF, REQUEST_SHARE * room - others);
  const shown = shortenDiff(unfolded, Math.floor(Math.min(MAX_DIFF, DIFF_SHARE * room, left)));
  const isWhole = shown.shortened === 0 && diffSections(diff.diff).length === diff.files.length;
  const reasons = outsidePlan.filter(({ reason }) => reason !== null);
  return [
    ...(isWhole ? [] : [fence('changed_files', diff.files.map(lineOfFile).join('\n'))]),
    fence('diff', withLeanHeaders(shown.diff)),
    ...(folded === null
      ? []
      : [
          `${folded.hunks} hunks are left out, which is marked: in them \`${folded.from}\` is replaced by \`${folded.to}\` and nothing else changes. The service compared every line. Find out with search_text whether the word was left somewhere.`,
        ]),
    ...(shown.shortened === 0
      ? []
      : [
          `The diff is too long to show in full: ${shown.shortened} files in it are shortened, and marked as such. Use read_file to read those files as they are after the change.`,
        ]),
    ...(reasons.length === 0
      ? []
      : [fence('outside_plan', reasons.map(({ path, reason }) => oneLine(`${path}: ${reason}`)).join('\n'))]),
  ];
}

function lineOfFile({ path, additions, deletions }: ReviewedDiff['files'][number]): string {
  return `${oneLine(path)} (+${additions} -${deletions})`;
}

/** The service's own findings, one per line. */
export function findingSections({ mustFix, toJudge, toConfirm }: MechanicalFindings): string[] {
  return [
    ...(mustFix.length === 0 ? [] : [fence('must_fix', mustFix.join('\n'))]),
    ...(toJudge.length === 0 ? [] : [fence('to_judge', toJudge.join('\n'))]),
    ...(toConfirm.length === 0 ? [] : [fence('to_confirm', toConfirm.join('\n'))]),
  ];
}

/** What the author ran, so that a claim can be compared with it. */
export function ranSection(ran: readonly RanCommand[]): string {
  const lines = ran.map(({ command, result }) => oneLine(`${command}: ${result}`));
  return fence('ran', lines.length === 0 ? 'nothing' : lines.join('\n'));
}

const NAMED_FAILURES = 20;

/** The test results after the change, and what the service found out about the tests. */
export function testsSection(tests: TestReport): string {
  const { command, verdict, exit_code, new_failures } = tests;
  const lines = [
    `${command}: ${verdict}, exit code ${exit_code ?? 'none'}`,
    ...new_failures.slice(0, NAMED_FAILURES).map((name) => `New failure: ${name}`),
    ...testFacts(tests),
  ];
  return fence('tests', lines.map(oneLine).join('\n'));
}
