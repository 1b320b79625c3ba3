import { type AgentOutput, type AgentRole, AppError, type JournalEntry } from '@sluice/core';
import type { ReadAnswer } from '../roles/answer.ts';
import { messageEvent } from './agent-events.ts';
import type { AgentTurn } from './agent-turn.ts';
import { answeredCalls } from './answered-calls.ts';
import { countOf } from './conversation.ts';
import { plainJson } from './plain-json.ts';
import { readNotes } from './read-notes.ts';
import type { RoleWork } from './role-run.ts';
import type { Said } from './said.ts';
import { withoutThoughts } from './without-thoughts.ts';

const MAX_MENDS = 3; // in a whole run: a model that needs more will not get there

/** An answer that calls no tool, and what of it is not written down yet. */
export interface FinalAnswer {
  readonly words: string;
  readonly turn: Omit<AgentTurn, 'withheld'>;
}

/**
 * Ends with a right answer, unless people wrote something meanwhile. A wrong one is asked to be mended, once: when
 * the next is wrong too, the stage fails. The request to mend that one is written all the same, so that a next try of
 * the stage asks exactly once more.
 *
 * @throws AppError `agent_output_invalid`, `budget_exhausted`
 */
export async function settleAnswer<Role extends AgentRole>(
  work: RoleWork<Role>,
  { words, turn }: FinalAnswer,
): Promise<void> {
  const { answer } = work.run.definition;
  const read: ReadAnswer<AgentOutput[Role]> =
    turn.cutShort === null ? answer.read(withoutThoughts(words)) : { ok: false, fault: turn.cutShort };
  if (read.ok) await end(work, { output: read.output, turn });
  else await mend(work, { fault: read.fault, turn });
}

async function end<Role extends AgentRole>(
  work: RoleWork<Role>,
  { output, turn }: { readonly output: AgentOutput[Role]; readonly turn: Pick<AgentTurn, 'entries' | 'told'> },
): Promise<void> {
  const { run, record } = work;
  const { role, answer, finish } = run.definition;
  // Its own words follow as they count, with `done`.
  if (turn.entries.length > 0) await record.write({ entries: turn.entries, events: turn.told });
  const calls = answeredCalls(record.now().said);
  const finished = finish?.(output, { input: run.input, calls }) ?? output;
  // Who says more now is heard: the answer was given without it.
  const events = [messageEvent(role, answer.shown(finished))];
  if (await readNotes(work, events)) return;
  await record.write({ entries: [{ kind: 'done', output: plainJson(finished) }], events });
}

async function mend<Role extends AgentRole>(
  { run, record }: RoleWork<Role>,
  { fault, turn }: { readonly fault: string; readonly turn: FinalAnswer['turn'] },
): Promise<void> {
  const conversation = record.now();
  const isHopeless = wasJustAsked(conversation.said) || countOf(conversation, 'mend') >= MAX_MENDS;
  const content = `Your answer cannot be used. ${fault}\nGive the whole answer again, mended.`;
  const request: JournalEntry = { kind: 'message', message: plainJson({ role: 'user', content }) };
  await record.write({ entries: [...turn.entries, request], events: [...turn.told, ...turn.events] });
  if (!isHopeless) return;
  const detail = `The ${run.definition.role} gave answers that cannot be used, again after it was told so: ${fault}`;
  throw new AppError('agent_output_invalid', { detail });
}

/** Whether it has done nothing but answer since it was last asked to mend an answer. */
function wasJustAsked(all: readonly Said[]): boolean {
  const [mendedAt, worked] = [
    all.findLastIndex(({ kind }) => kind === 'mend'),
    all.findLastIndex(({ kind }) => kind === 'result'),
  ];
  return mendedAt > worked;
}
