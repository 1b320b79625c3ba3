import type { ToolResultPart } from 'ai';
import type { Conversation } from './conversation.ts';
import type { ModelTurn } from './model-turn.ts';
import { withRepeatNotice } from './repeated-calls.ts';
import { said } from './said.ts';

const CALL_CUT_OFF =
  'The answer was cut off at the output limit before this call was whole; nothing was done. Be shorter: make one smaller call at a time.';

/** A turn with the SDK's answers to calls that nobody could carry out in words that help. */
export function wellFormedTurn(before: Conversation, turn: ModelTurn): ModelTurn {
  const answer = turn.messages.filter(({ role }) => role === 'assistant').map((message) => said('answer', message));
  const all = [...before.said, ...answer];
  return {
    ...turn,
    messages: turn.messages.map((message) => {
      if (message.role !== 'tool') return message;
      const content = message.content.map((part) => {
        if (part.type !== 'tool-result') return part;
        return withRepeatNotice(all, turn.finishReason === 'length' ? cutOff(part) : part);
      });
      return { ...message, content };
    }),
  };
}

function cutOff(part: ToolResultPart): ToolResultPart {
  return { ...part, output: { type: 'error-text', value: CALL_CUT_OFF } };
}
