import type { AgentInput, TestReport } from '@sluice/core';
import { oneLine } from '@sluice/core';
import type { MechanicalFindings } from '../review/mechanical-findings.ts';
import { shortenDiff } from '../review/shorten-diff.ts';
import { fence } from './fence.ts';

const MAX_DIFF = 120_000; // characters, about 30,000 tokens: the files can be read where it is not enough

/** The change: every file by name, the diff as far as it fits, and why files outside the plan were touched. */
export function changeSections({ diff, outsidePlan }: AgentInput['reviewer']): string[] {
  const shown = shortenDiff(diff.diff, MAX_DIFF);
  const reasons = outsidePlan.filter(({ reason }) => reason !== null);
  return [
    fence(
      'changed_files',
      diff.files.map(({ path, additions, deletions }) => `${oneLine(path)} (+${additions} -${deletions})`).join('\n'),
    ),
    fence('diff', shown.diff),
    ...(shown.shortened === 0
      ? []
      : [
          `The diff is too long to be shown whole: ${shown.shortened} files in it are shortened, where it says so. Read those files, as they are after the change, with read_file.`,
        ]),
    ...(reasons.length === 0
      ? []
      : [fence('outside_plan', reasons.map(({ path, reason }) => oneLine(`${path}: ${reason}`)).join('\n'))]),
  ];
}

/** What the service has seen in the change for itself, a line each. */
export function findingSections({ mustMend, toJudge }: MechanicalFindings): string[] {
  return [
    ...(mustMend.length === 0 ? [] : [fence('must_mend', mustMend.join('\n'))]),
    ...(toJudge.length === 0 ? [] : [fence('to_judge', toJudge.join('\n'))]),
  ];
}

/** What the tests came to after the change. */
export function testsSection({ command, verdict, exit_code, new_failures }: TestReport): string {
  return fence('tests', `${command}: ${verdict}, exit code ${exit_code ?? 'none'}\n${new_failures.join('\n')}`);
}
