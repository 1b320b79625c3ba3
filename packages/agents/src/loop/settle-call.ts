import { isDeepStrictEqual } from 'node:util';
import type { AgentRole, JournalEntry } from '@sluice/core/agent';
import type { ToolCallPart, ToolResultPart } from 'ai';
import { toolCallEvent, toolResultEvent } from './agent-events.ts';
import type { OpenCall } from './conversation.ts';
import { endWith } from './end-with.ts';
import { newObjections } from './new-objections.ts';
import type { RoleExecution } from './role-execution.ts';
import type { TranscriptMessage } from './transcript.ts';

const TOGETHER =
  'Not taken, because it came together with other calls, whose results you had not seen. Look at them first. If the work is over, call this tool again, alone.';
const IN_TWO_WAYS =
  'Not taken, because you ended several times in one answer, and not in the same way. Call this tool once.';
const NOTE_CAME = 'Not taken yet: a person has written to you meanwhile. Read the note, and then end again.';

/**
 * Ends with the answer that an agent gave by its tool, unless people wrote a note meanwhile. An answer that is invalid,
 * or that came together with other calls, is refused like any other call, and the agent goes on.
 *
 * @throws AppError `budget_exhausted`
 */
export async function settleCall<Role extends AgentRole>(
  execution: RoleExecution<Role>,
  { call }: OpenCall,
): Promise<void> {
  const { setup, record } = execution;
  const { role, answer } = setup.definition;
  const { openCalls, transcript, deferred } = record.now();
  const result = (type: 'text' | 'error-text', value: string): ToolResultPart => ({
    type: 'tool-result',
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    output: { type, value },
  });
  const refuse = async (why: string) => {
    const refused = result('error-text', why);
    const events = [toolCallEvent(role, call), toolResultEvent(role, refused)];
    await record.write({ entries: [resultEntry(refused)], events });
  };
  const made = callsOfLastAnswer(transcript);
  if (made.some(({ toolName }) => toolName !== call.toolName)) return await refuse(TOGETHER);
  if (made.some(({ input }) => !isDeepStrictEqual(input, call.input))) return await refuse(IN_TWO_WAYS);
  const read = answer.readCall(call.input);
  if (!read.ok) return await refuse(read.fault);
  const objections = await newObjections(execution, read.output);
  if (objections.length > 0) return await refuse(objections.join('\n'));
  // The same answer may have been given twice in one turn: each call has a result, so that the conversation can go on.
  const closed = (type: 'text' | 'error-text', value: string) =>
    openCalls.map((open) => resultEntry({ ...result(type, value), toolCallId: open.call.toolCallId }));
  const reopened = closed('error-text', NOTE_CAME);
  // A tree that was put back has opened the call again, and the note that came after it still counts.
  if (deferred.some(({ kind }) => kind === 'note')) return await record.write({ entries: reopened, events: [] });
  await endWith(execution, read.output, { taken: closed('text', 'Taken.'), reopened });
}

function resultEntry(part: ToolResultPart): JournalEntry {
  return { kind: 'result', callId: part.toolCallId, message: { role: 'tool', content: [part] } };
}

function callsOfLastAnswer(transcript: readonly TranscriptMessage[]): ToolCallPart[] {
  const last = transcript.findLast(({ kind }) => kind === 'answer')?.message;
  if (last?.role !== 'assistant' || typeof last.content === 'string') return [];
  return last.content.filter((part) => part.type === 'tool-call');
}
