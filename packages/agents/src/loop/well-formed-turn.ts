import type { ModelMessage, ToolResultPart } from 'ai';
import type { Conversation } from './conversation.ts';
import type { ModelTurn } from './model-turn.ts';
import { withRepeatNotice } from './repeated-calls.ts';
import { said } from './said.ts';

const CALL_CUT_OFF =
  'The answer was cut off at the output limit before this call was whole; nothing was done. Be shorter: make one smaller call at a time.';

/**
 * A turn as the journal can hold it: each call under an id of its own, and the SDK's answers to calls that nobody could
 * carry out in words that help.
 */
export function wellFormedTurn(before: Conversation, turn: ModelTurn): ModelTurn {
  const messages = turn.messages.map(withUniqueIds);
  const answer = messages.filter(({ role }) => role === 'assistant').map((message) => said('answer', message));
  const all = [...before.said, ...answer];
  return {
    ...turn,
    messages: messages.map((message) => {
      if (message.role !== 'tool') return message;
      const content = message.content.map((part) => {
        if (part.type !== 'tool-result') return part;
        return withRepeatNotice(all, turn.finishReason === 'length' ? cutOff(part) : part);
      });
      return { ...message, content };
    }),
  };
}

/** Gives calls of one answer that share an id ids of their own: a result must belong to one of them. */
function withUniqueIds(message: ModelMessage): ModelMessage {
  if (message.role === 'system' || message.role === 'user' || typeof message.content === 'string') return message;
  const seen = new Map<string, number>();
  const content = message.content.map((part) => {
    if (part.type !== (message.role === 'tool' ? 'tool-result' : 'tool-call')) return part;
    const count = (seen.get(part.toolCallId) ?? 0) + 1;
    seen.set(part.toolCallId, count);
    return count === 1 ? part : { ...part, toolCallId: `${part.toolCallId}_${count}` };
  });
  return { ...message, content } as ModelMessage;
}

function cutOff(part: ToolResultPart): ToolResultPart {
  return { ...part, output: { type: 'error-text', value: CALL_CUT_OFF } };
}
