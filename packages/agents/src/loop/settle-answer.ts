import { type AgentOutput, type AgentRole, AppError, type JournalEntry, storableJson } from '@sluice/core';
import { type ReadAnswer, withoutThoughts } from '../roles/answer.ts';
import { messageEvent } from './agent-events.ts';
import type { AgentTurn } from './agent-turn.ts';
import { countOf } from './conversation.ts';
import { readNotes } from './next-turn.ts';
import type { RoleExecution } from './role-execution.ts';
import { answeredCalls, type TranscriptMessage } from './transcript.ts';

const MAX_CORRECTIONS = 3; // in a whole execution: a model that needs more will not get there

/** An answer that calls no tool, and the part of its turn that is not recorded yet. */
export interface FinalAnswer {
  readonly text: string;
  readonly turn: Omit<AgentTurn, 'withheld'>;
}

/**
 * Ends with a valid answer, unless people wrote a note meanwhile. An invalid answer gets one correction; when the next
 * answer is invalid too, the stage fails. That second correction is recorded as well, so that the next attempt of the
 * stage asks exactly once more.
 *
 * @throws AppError `agent_output_invalid`, `budget_exhausted`
 */
export async function settleAnswer<Role extends AgentRole>(
  execution: RoleExecution<Role>,
  { text, turn }: FinalAnswer,
): Promise<void> {
  const { answer } = execution.setup.definition;
  const read: ReadAnswer<AgentOutput[Role]> =
    turn.cutShort === null ? answer.read(withoutThoughts(text)) : { ok: false, fault: turn.cutShort };
  if (read.ok) await finish(execution, { output: read.output, turn });
  else await askForCorrection(execution, { fault: read.fault, turn });
}

async function finish<Role extends AgentRole>(
  execution: RoleExecution<Role>,
  { output, turn }: { readonly output: AgentOutput[Role]; readonly turn: Pick<AgentTurn, 'entries' | 'serviceEvents'> },
): Promise<void> {
  const { setup, record } = execution;
  const { role, answer, finish: finalize } = setup.definition;
  // The events of the answer follow with `done`, in their final form.
  if (turn.entries.length > 0) await record.write({ entries: turn.entries, events: turn.serviceEvents });
  const calls = answeredCalls(record.now().transcript);
  const finished = finalize?.(output, { input: setup.input, calls }) ?? output;
  // A note that arrives now reopens the conversation, because the answer was given without it.
  const events = [messageEvent(role, answer.render(finished))];
  if (await readNotes(execution, events)) return;
  await record.write({ entries: [{ kind: 'done', output: storableJson(finished) }], events });
}

async function askForCorrection<Role extends AgentRole>(
  { setup, record }: RoleExecution<Role>,
  { fault, turn }: { readonly fault: string; readonly turn: FinalAnswer['turn'] },
): Promise<void> {
  const conversation = record.now();
  const isHopeless =
    wasJustCorrected(conversation.transcript) || countOf(conversation, 'correction') >= MAX_CORRECTIONS;
  const content = `Your answer cannot be used. ${fault}\nCorrect it and give the whole answer again.`;
  const request: JournalEntry = { kind: 'message', message: storableJson({ role: 'user', content }) };
  await record.write({ entries: [...turn.entries, request], events: [...turn.serviceEvents, ...turn.events] });
  if (!isHopeless) return;
  const detail = `The ${setup.definition.role} gave an unusable answer, and again after a correction: ${fault}`;
  throw new AppError('agent_output_invalid', { detail });
}

/** Whether the model has only answered, and called no tool, since its last correction. */
function wasJustCorrected(transcript: readonly TranscriptMessage[]): boolean {
  const correctedAt = transcript.findLastIndex(({ kind }) => kind === 'correction');
  const workedAt = transcript.findLastIndex(({ kind }) => kind === 'result');
  return correctedAt > workedAt;
}
