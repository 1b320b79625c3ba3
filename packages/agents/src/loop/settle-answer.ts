import type { AgentOutput, AgentRole, JournalEntry } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import { storableJson } from '@sluice/core/text';
import { type ReadAnswer, withoutThoughts } from '../roles/answer.ts';
import { refusalIn } from '../roles/unfinished-words.ts';
import type { AgentTurn } from './agent-turn.ts';
import { countOf } from './conversation.ts';
import { endWith } from './end-with.ts';
import { newObjections } from './new-objections.ts';
import type { RoleExecution } from './role-execution.ts';
import { inThisRound, type TranscriptMessage } from './transcript.ts';

const MAX_CORRECTIONS = 3; // in a whole execution: a model that needs more will not get there

/** An answer that calls no tool, and the part of its turn that is not recorded yet. */
export interface FinalAnswer {
  readonly text: string;
  readonly turn: Omit<AgentTurn, 'withheld'>;
}

/**
 * Ends with a valid answer, unless people wrote a note meanwhile. What the answer lacks is said once. An answer that is
 * invalid, or that should have been given by a tool, gets one correction. When the next answer is no better, it is taken
 * for what it says if the role allows that; otherwise the stage fails. That second correction is recorded as well, so that
 * the next attempt of the stage asks exactly once more.
 *
 * @throws AppError `agent_output_invalid`, `agent_blocked` for a refusal, `budget_exhausted`
 */
export async function settleAnswer<Role extends AgentRole>(
  execution: RoleExecution<Role>,
  { text, turn }: FinalAnswer,
): Promise<void> {
  const { setup, record } = execution;
  const words = withoutThoughts(text);
  const read =
    turn.cutShort === null
      ? setup.definition.answer.read(words)
      : { ok: false as const, problem: turn.cutShort, fault: turn.cutShort };
  const hopeless = isHopeless(execution);
  const output = read.ok || hopeless ? outputOf(read) : undefined;
  const lacking = outputOf(read);
  const objections =
    lacking === undefined || hasManyCorrections(execution) ? [] : await newObjections(execution, lacking);
  if (output !== undefined && objections.length === 0) return await end(execution, { output, turn });
  const fault = [...(read.ok ? [] : [read.fault]), ...objections].join('\n');
  const content = `Your answer cannot be used. ${fault}`;
  const request: JournalEntry = { kind: 'message', message: storableJson({ role: 'user', content }) };
  await record.write({ entries: [...turn.entries, request], events: [...turn.serviceEvents, ...turn.events] });
  if (hopeless && !read.ok && read.otherwise === undefined)
    throw unusable(setup.definition.role, { words, problem: read.problem });
}

/** What an answer counts as, or would if it came again. */
function outputOf<Output>(read: ReadAnswer<Output>): Output | undefined {
  return read.ok ? read.output : read.otherwise;
}

async function end<Role extends AgentRole>(
  execution: RoleExecution<Role>,
  { output, turn }: { readonly output: AgentOutput[Role]; readonly turn: Pick<AgentTurn, 'entries' | 'serviceEvents'> },
): Promise<void> {
  // The events of the answer follow with `done`, in their final form.
  if (turn.entries.length > 0) await execution.record.write({ entries: turn.entries, events: turn.serviceEvents });
  await endWith(execution, output);
}

/** Whether another correction would be of no use. */
function isHopeless<Role extends AgentRole>(execution: RoleExecution<Role>): boolean {
  return wasJustCorrected(inThisRound(execution.record.now().transcript)) || hasManyCorrections(execution);
}

function hasManyCorrections<Role extends AgentRole>({ record }: RoleExecution<Role>): boolean {
  return countOf(record.now(), ({ kind }) => kind === 'correction') >= MAX_CORRECTIONS;
}

function unusable(role: AgentRole, { words, problem }: { readonly words: string; readonly problem: string }): AppError {
  const refusal = refusalIn(words);
  if (refusal !== null)
    return new AppError('agent_blocked', {
      detail: `The ${role} refused: "${refusal}" Reword the issue, or use another model.`,
    });
  const detail = `The ${role} gave an unusable answer, and again after a correction. ${problem} Retry the issue, or use another model.`;
  return new AppError('agent_output_invalid', { detail });
}

/** Whether the model has only answered, and called no tool, since its last correction. */
function wasJustCorrected(transcript: readonly TranscriptMessage[]): boolean {
  const correctedAt = transcript.findLastIndex(({ kind }) => kind === 'correction');
  const workedAt = transcript.findLastIndex(({ kind }) => kind === 'result');
  return correctedAt > workedAt;
}
