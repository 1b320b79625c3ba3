import type { AgentOutput, AgentRole, JournalEntry } from '@sluice/core/agent';
import { storableJson } from '@sluice/core/text';
import { messageEvent } from './agent-events.ts';
import { readNotes } from './next-turn.ts';
import type { RoleExecution } from './role-execution.ts';
import { answeredCalls } from './transcript.ts';

/** How the call by which the answer was given is answered: the answer counts, or a person wrote meanwhile. */
export interface ClosedCalls {
  readonly taken: readonly JournalEntry[];
  readonly reopened: readonly JournalEntry[];
}

const IN_TEXT: ClosedCalls = { taken: [], reopened: [] };

/**
 * Ends the execution with an answer, unless people wrote a note meanwhile: that reopens the conversation, because the
 * answer was given without it.
 *
 * @throws AppError `budget_exhausted`
 */
export async function endWith<Role extends AgentRole>(
  execution: RoleExecution<Role>,
  output: AgentOutput[Role],
  { taken, reopened }: ClosedCalls = IN_TEXT,
): Promise<void> {
  const { setup, record } = execution;
  const { role, answer, finish } = setup.definition;
  const calls = answeredCalls(record.now().transcript);
  const finished = finish?.(output, { input: setup.input, calls }) ?? output;
  const events = [messageEvent(role, answer.render(finished))];
  if (await readNotes(execution, { entries: reopened, events })) return;
  await record.write({ entries: [{ kind: 'done', output: storableJson(finished) }, ...taken], events });
}
