import { AppError, addUsage, type JournalEntry, NO_USAGE, type Usage } from '@sluice/core';
import { type ModelMessage, modelMessageSchema, type ToolCallPart } from 'ai';

/** A call of the last turn's that has no result yet. */
export interface OpenCall {
  readonly call: ToolCallPart;
  /** Whether its effect may have happened: it had begun when an earlier process ended. */
  readonly begun: boolean;
}

/**
 * What a journal says, entry by entry. The first message is the instructions, the second the request; after them the
 * model's messages, the results of its calls, and requests to mend an answer.
 */
export interface Conversation {
  readonly instructions: string | null;
  readonly messages: readonly ModelMessage[];
  /** How often the model has answered. */
  readonly turns: number;
  readonly openCalls: readonly OpenCall[];
  /** The last message, when it is the model's and calls no tool: what it ends with. */
  readonly lastWords: string | null;
  readonly usage: Usage;
  readonly done: { readonly output: unknown } | null;
}

export const NEW_CONVERSATION: Conversation = {
  instructions: null,
  messages: [],
  turns: 0,
  openCalls: [],
  lastWords: null,
  usage: NO_USAGE,
  done: null,
};

/** The conversation after one more entry of its journal. */
export function withEntry(before: Conversation, entry: JournalEntry): Conversation {
  switch (entry.kind) {
    case 'message':
      return withMessage(before, checked(entry.message));
    case 'begin':
      return {
        ...before,
        openCalls: before.openCalls.map((open) =>
          open.call.toolCallId === entry.callId ? { ...open, begun: true } : open,
        ),
      };
    case 'result':
      return withMessage(before, checked(entry.message));
    case 'usage':
      return { ...before, usage: addUsage(before.usage, entry.usage) };
    case 'done':
      return { ...before, done: { output: entry.output } };
  }
}

function withMessage(before: Conversation, message: ModelMessage): Conversation {
  switch (message.role) {
    case 'system':
      return { ...before, instructions: message.content };
    case 'user':
      return { ...before, messages: [...before.messages, message], lastWords: null };
    case 'tool': {
      const answered = new Set(message.content.map((part) => (part.type === 'tool-result' ? part.toolCallId : '')));
      const openCalls = before.openCalls.filter(({ call }) => !answered.has(call.toolCallId));
      return { ...before, messages: [...before.messages, message], openCalls, lastWords: null };
    }
    case 'assistant': {
      const parts =
        typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content;
      const calls = parts.filter((part) => part.type === 'tool-call').filter((part) => !part.providerExecuted);
      const words = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return {
        ...before,
        // An answer of nothing counts as a turn, but providers refuse to be sent one.
        messages: parts.length === 0 ? before.messages : [...before.messages, message],
        turns: before.turns + 1,
        openCalls: calls.map((call) => ({ call, begun: false })),
        lastWords: calls.length === 0 ? words : null,
      };
    }
  }
}

function checked(message: unknown): ModelMessage {
  const parsed = modelMessageSchema.safeParse(message);
  if (!parsed.success)
    throw new AppError(
      'internal',
      { detail: 'The journal holds a message that cannot be read.' },
      { cause: parsed.error },
    );
  return parsed.data;
}
