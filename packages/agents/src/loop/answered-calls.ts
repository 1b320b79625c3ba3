import type { ToolCallPart, ToolResultPart } from 'ai';
import type { AnsweredCall } from '../roles/role-definition.ts';
import { RESTARTED } from './replay.ts';
import type { Said } from './said.ts';

interface CallWithResult {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart;
  /** The answer that it stands in, from 0. */
  readonly turn: number;
}

/** All calls that have a result, in the order of the results. An id names a call within its answer only. */
export function callsWithResults(all: readonly Said[]): CallWithResult[] {
  const found: CallWithResult[] = [];
  let calls = new Map<string, ToolCallPart>();
  let turn = -1;
  for (const { message } of all) {
    if (message.role === 'assistant' && typeof message.content !== 'string') {
      const parts = message.content.filter((part) => part.type === 'tool-call');
      calls = new Map(parts.map((part) => [part.toolCallId, part]));
      turn += 1;
    }
    if (message.role !== 'tool') continue;
    for (const result of message.content) {
      const call = result.type === 'tool-result' ? calls.get(result.toolCallId) : undefined;
      if (result.type === 'tool-result' && call !== undefined) found.push({ call, result, turn });
    }
  }
  return found;
}

/** The same as a role is told of them when its answer is finished. */
export function answeredCalls(all: readonly Said[]): AnsweredCall[] {
  return callsWithResults(all).map(({ call, result }) => ({
    tool: call.toolName,
    input: call.input,
    outcome: outcomeOf(result),
  }));
}

function outcomeOf({ output }: ToolResultPart): AnsweredCall['outcome'] {
  if (output.type !== 'error-text') return 'done';
  return output.value.startsWith(RESTARTED) ? 'unknown' : 'refused';
}
