import { type OutsidePlan, plannedFiles } from '@sluice/core/pipeline';
import { fence } from '../tools/fence.ts';
import { findCode } from '../tools/find-code.ts';
import { listFiles } from '../tools/list-files.ts';
import { outline } from '../tools/outline.ts';
import { outsidePlanOf } from '../tools/plan-scope.ts';
import { readFile } from '../tools/read-file.ts';
import { runCommand } from '../tools/run-command.ts';
import { searchText } from '../tools/search-text.ts';
import { writingTools } from '../tools/writing-tools.ts';
import { coderAnswer } from './coder-answer.ts';
import { coderObjections, trueEnd } from './coder-end.ts';
import {
  adviceSections,
  environmentSections,
  issueSections,
  plannedFileSections,
  planSection,
  repoSections,
} from './request-sections.ts';
import type { AnsweredCall, RoleDefinition } from './role-definition.ts';

const RETURNED =
  'Your change was returned, for the reason in the feedback. It is still in the working tree: find the cause, fix that first, and nothing else. When you finish, sum up the whole change: nobody reads what you said before.';

export const coder: RoleDefinition<'coder'> = {
  role: 'coder',
  promptFile: new URL('./coder.md', import.meta.url),
  tools: [listFiles, searchText, findCode, outline, readFile, ...writingTools, runCommand],
  maxTurns: 100,
  answer: coderAnswer,
  adviceAbout: ({ plan }) => plannedFiles(plan),
  query: () => null,
  request: ({ issue, repo, plan, round, feedback, environment }, found) =>
    [
      ...repoSections(repo),
      ...environmentSections(environment),
      ...adviceSections(found.advice),
      ...issueSections(issue),
      planSection(plan),
      ...plannedFileSections(found.plannedFiles),
      ...(feedback === null ? [] : [fence('feedback', feedback)]),
      feedback === null ? 'Carry out the plan.' : `This is round ${round}. ${RETURNED}`,
    ].join('\n\n'),
  followUp: ({ feedback }) => (feedback === null ? [] : [`${fence('feedback', feedback)}\n\n${RETURNED}`]),
  scope: ({ plan }) => plannedFiles(plan),
  objections: (output, { input, calls, hasChange, isRetry }) =>
    coderObjections(output, {
      calls,
      hasChange,
      isRetry,
      round: input.round,
      testCommand: input.testCommand ?? null,
    }),
  finish: (output, { input, calls }) => ({
    ...trueEnd(output, { calls, testCommand: input.testCommand ?? null }),
    outsidePlan: outsidePlanIn(
      calls.filter(({ tool }) => writingTools.some(({ name }) => name === tool)),
      plannedFiles(input.plan),
    ),
  }),
};

/**
 * The files that the calls wrote outside the plan, each with the last reason given. An interrupted call may have written,
 * so it counts.
 */
function outsidePlanIn(calls: readonly AnsweredCall[], planned: readonly string[]): OutsidePlan[] {
  const left = calls.filter(({ outcome }) => outcome !== 'refused').flatMap((call) => outsidePlanOf(planned, call));
  return [...new Map(left.map((entry) => [entry.path, entry])).values()];
}
