import type { AgentOutput } from '@sluice/core/agent';
import type { RanCommand } from '@sluice/core/pipeline';
import { runCommand } from '../tools/run-command.ts';
import { writingTools } from '../tools/writing-tools.ts';
import { RUNS_NO_COMMANDS } from './coder-answer.ts';
import type { AnsweredCall, Objection } from './role-definition.ts';
import { refusalIn, unfinishedIn, unfinishedSentences } from './unfinished-words.ts';

type Output = AgentOutput['coder'];

const MAX_RAN = 10; // the newest; earlier ones are about an earlier state
const NOT_RUN = 'claimed, not run';

/** The facts about the work besides the coder's answer. */
export interface KnownWork {
  readonly calls: readonly AnsweredCall[];
  readonly testCommand: string | null;
  readonly round: number;
  /** The tree holds what the last attempt did. */
  readonly isRetry: boolean;
  /** Whether the working tree differs from the base. */
  hasChange(): Promise<boolean>;
}

/** What an end with `done` lacks: a summary that agrees, a change, and a check after the last change. */
export async function coderObjections(
  { outcome, summary, notRunReason }: Output,
  work: KnownWork,
): Promise<Objection[]> {
  if (outcome === 'blocked') return [];
  const refusal = refusalIn(summary);
  const contradictions = refusal === null ? unfinishedSentences(summary) : [refusal];
  const isUnchanged = !(await work.hasChange());
  const isUntouched =
    !isUnchanged && work.round > 1 && !work.isRetry && !saysWhyNoTest(summary) && !work.calls.some(hadEffect);
  const isUnchecked =
    !isUnchanged && !isUntouched && work.testCommand !== null && notRunReason === undefined && !hasRunSince(work.calls);
  return [
    ...(contradictions.length === 0 ? [] : [contradicted(contradictions)]),
    ...(isUnchanged
      ? [
          {
            opening: 'You have changed no file',
            rest: '. Make the change, or finish with the outcome "blocked" and say why there is nothing to change.',
          },
        ]
      : []),
    ...(isUntouched
      ? [
          {
            opening: 'You have changed nothing since your change was returned',
            rest: '. Fix the cause, or finish again and say in the summary why the change is right as it is.',
          },
        ]
      : []),
    ...(isUnchecked
      ? [
          {
            opening: 'You have run nothing since your last change',
            rest: `. Run the tests next to it; all tests run with: ${work.testCommand}. If nothing can be run, finish again with not_run_reason.`,
          },
        ]
      : []),
  ];
}

/** All of them at once, so that an honest summary is corrected in one turn. One that is still wrong is told once more. */
function contradicted(sentences: readonly string[]): Objection {
  const [those, are, them] =
    sentences.length === 1 ? ['that sentence', 'is', 'it'] : ['those sentences', 'are', 'them'];
  return {
    opening: 'Your summary says that the work is not done',
    rest: `: ${sentences.map((one) => `"${one}"`).join(' ')} Go on, or finish with the outcome "blocked". If the plan is carried out in full and ${those} ${are} about something else, finish again without ${them}.`,
    times: 2,
  };
}

/** A line that the coder was asked for: why no test can fail without the fix. */
function saysWhyNoTest(summary: string): boolean {
  return /^\W*reproduction\W*:/im.test(summary);
}

/** The end as it counts: an end that says in words that the work is not done is `blocked`, and claims are checked. */
export function trueEnd(output: Output, { calls, testCommand }: Pick<KnownWork, 'calls' | 'testCommand'>): Output {
  const { notRunReason, ...end } = output;
  const refusal = refusalIn(end.summary);
  if (refusal !== null) return { ...end, outcome: 'blocked', summary: `The model refused: "${refusal}"`, ran: [] };
  if (end.outcome === 'blocked' || unfinishedIn(end.summary) !== null) return { ...end, outcome: 'blocked', ran: [] };
  const seen = ranCommands(calls);
  const invented = (end.ran ?? []).filter((claim) => !seen.some((one) => isSame(one.command, claim.command)));
  const named = invented.slice(0, MAX_RAN);
  const more = invented.length > named.length ? ` and ${invented.length - named.length} more` : '';
  const remarks = [
    ...(named.length === 0 ? [] : [`Claimed, but not run: ${named.map(({ command }) => command).join('; ')}${more}.`]),
    ...(testCommand === null || notRunReason === RUNS_NO_COMMANDS || hasRunSince(calls) || !calls.some(hadEffect)
      ? []
      : [
          `Nothing was run after the last change${notRunReason === undefined ? '' : `: ${notRunReason}`}`.replace(
            /[^.!?]$/,
            '$&.',
          ),
        ]),
  ];
  return {
    ...end,
    summary: [end.summary, ...remarks].join('\n'),
    ran: [...seen.slice(-MAX_RAN), ...named.map(({ command }) => ({ command, result: NOT_RUN }))],
  };
}

/** Each command that ran, with its last ending, in the order of these. */
function ranCommands(calls: readonly AnsweredCall[]): RanCommand[] {
  const last = new Map<string, string>();
  for (const { tool, input, outcome, text } of calls) {
    const command = commandOf(input);
    if (tool !== runCommand.name || outcome === 'refused' || command === null) continue;
    last.delete(command);
    last.set(command, outcome === 'unknown' ? 'interrupted' : endingIn(text));
  }
  return [...last].map(([command, result]) => ({ command, result }));
}

/** `Exit code 0, after 12 ms.` as `exit code 0`. */
function endingIn(text: string): string {
  const [ending = ''] = text.split(/,|\.\s|\n/);
  return `${ending.slice(0, 1).toLowerCase()}${ending.slice(1)}`;
}

/** A claim may leave out the folder or a filter of the command that ran. */
function isSame(ran: string, claimed: string): boolean {
  const words = (command: string) => ` ${command.replaceAll(/[\s`]+/g, ' ').trim()} `;
  return words(ran).includes(words(claimed)) || words(claimed).includes(words(ran));
}

function commandOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('command' in input)) return null;
  return typeof input.command === 'string' ? input.command : null;
}

/** Whether it may have changed a file. */
function hadEffect({ tool, outcome }: AnsweredCall): boolean {
  return outcome !== 'refused' && (isWriting(tool) || tool === runCommand.name);
}

function hasRunSince(calls: readonly AnsweredCall[]): boolean {
  const lastChange = calls.findLastIndex(({ tool, outcome }) => outcome !== 'refused' && isWriting(tool));
  return calls.slice(lastChange + 1).some(({ tool, outcome }) => tool === runCommand.name && outcome === 'done');
}

function isWriting(tool: string): boolean {
  return writingTools.some(({ name }) => name === tool);
}
