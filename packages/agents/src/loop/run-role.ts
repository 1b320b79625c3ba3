import {
  type AgentContext,
  type AgentOutput,
  type AgentResult,
  type AgentRole,
  AppError,
  type JournalEntry,
  type NewEvent,
} from '@sluice/core';
import type { ToolModelMessage } from 'ai';
import type { ReadAnswer } from '../role/answer.ts';
import { messageEvent, toolResultEvent } from './agent-events.ts';
import { type AgentTurn, takeTurn } from './agent-turn.ts';
import { closeCall } from './close-call.ts';
import { type Conversation, NEW_CONVERSATION, type OpenCall, withEntry } from './conversation.ts';
import { plainJson } from './plain-json.ts';
import type { RoleRun } from './role-run.ts';

const CONTEXT_HITS = 12;

/**
 * The durable loop. What the journal holds is never done again: the model's message is written before any of its tools
 * runs, `begin` before an effect, the result after it; each with its events in one write. So a process that goes on from
 * a journal makes exactly the calls that are missing.
 *
 * @throws AppError `agent_turns_exceeded`, `agent_output_invalid`; the signal's reason when cancelled; what the provider,
 * the journal or a broken tool throws
 */
export async function runRole<Role extends AgentRole>(
  run: RoleRun<Role>,
  context: AgentContext,
): Promise<AgentResult<Role>> {
  const { role, answer, tools, maxTurns: ownMaxTurns } = run.definition;
  const maxTurns = run.choice.maxTurns ?? ownMaxTurns;
  let conversation: Conversation = context.journal.entries.reduce(withEntry, NEW_CONVERSATION);
  let mended = false;

  if (conversation.done === null && conversation.messages.length === 0) await write(await opening(run, context), []);
  for (;;) {
    const { done, lastWords, openCalls, turns, usage } = conversation;
    if (done !== null) return { output: answer.schema.parse(done.output), usage };
    context.signal.throwIfAborted();
    if (openCalls[0] !== undefined) await close(openCalls[0]);
    else if (lastWords !== null) await settle(answer.read(lastWords), { entries: [], events: [] });
    else if (turns >= maxTurns) throw turnsExceeded(role, maxTurns);
    else await ask();
  }

  async function write(entries: readonly JournalEntry[], events: readonly NewEvent[]): Promise<void> {
    await context.journal.append(entries, events);
    conversation = entries.reduce(withEntry, conversation);
  }

  async function close(open: OpenCall): Promise<void> {
    const callId = open.call.toolCallId;
    const bounds = { tools, context, begin: () => write([{ kind: 'begin', callId }], []) };
    const result = await closeCall(bounds, open);
    const message: ToolModelMessage = { role: 'tool', content: [result] };
    await write([{ kind: 'result', callId, message }], [toolResultEvent(role, result)]);
  }

  async function ask(): Promise<void> {
    const turn = await takeTurn(run, conversation, context);
    const { lastWords } = turn.entries.reduce(withEntry, conversation);
    if (lastWords === null) return await write(turn.entries, turn.events);
    const read: ReadAnswer<AgentOutput[Role]> =
      turn.cutShort === null ? answer.read(lastWords) : { ok: false, fault: turn.cutShort };
    await settle(read, turn);
  }

  /** Ends with a right answer; asks once in a run for a wrong one to be mended. `turn` is what is not written yet. */
  async function settle(
    read: ReadAnswer<AgentOutput[Role]>,
    turn: Pick<AgentTurn, 'entries' | 'events'>,
  ): Promise<void> {
    if (read.ok) {
      const done: JournalEntry = { kind: 'done', output: plainJson(read.output) };
      await write([...turn.entries, done], [messageEvent(role, answer.shown(read.output))]);
      return;
    }
    if (mended) {
      await write(turn.entries, turn.events);
      const detail = `The ${role} gave an answer of the wrong shape twice: ${read.fault}`;
      throw new AppError('agent_output_invalid', { detail });
    }
    mended = true;
    const content = `Your answer cannot be used. ${read.fault}\nGive the whole answer again, mended.`;
    await write([...turn.entries, { kind: 'message', message: { role: 'user', content } }], turn.events);
  }
}

async function opening<Role extends AgentRole>(
  { definition, instructions, input }: RoleRun<Role>,
  context: AgentContext,
): Promise<JournalEntry[]> {
  const query = definition.query(input);
  const hits = query === null ? [] : await context.search(query, CONTEXT_HITS);
  // Both are kept, so that a run goes on with the words that it began with, whatever has changed since.
  return [
    { kind: 'message', message: plainJson({ role: 'system', content: instructions }) },
    { kind: 'message', message: plainJson({ role: 'user', content: definition.request(input, hits) }) },
  ];
}

function turnsExceeded(role: AgentRole, maxTurns: number): AppError {
  return new AppError('agent_turns_exceeded', {
    detail: `The ${role} had not ended after ${maxTurns} turns. Make the issue smaller or more exact, and try again.`,
  });
}
