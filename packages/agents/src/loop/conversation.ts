import { AppError, addUsage, type JournalEntry, NO_USAGE, type Usage } from '@sluice/core';
import { type AssistantModelMessage, type ModelMessage, modelMessageSchema, type ToolCallPart } from 'ai';
import { makerOf } from './made-by.ts';
import { estimatedTokens, type Said, said } from './said.ts';
import { withShortResults } from './short-results.ts';

const CREDIBLE_SHARE = 0.5; // of the estimate: English and code come to seven tenths and more

/** A call of the last answer's that has no result yet. */
export interface OpenCall {
  readonly call: ToolCallPart;
  /** Whether its effect may have happened: it had begun when an earlier process ended. */
  readonly begun: boolean;
}

/**
 * What a journal says, entry by entry: the instructions, the request, and after them the model's answers, the results
 * of their calls, people's notes, and requests to mend an answer.
 */
export interface Conversation {
  readonly instructions: string | null;
  readonly said: readonly Said[];
  /** What came after calls that a rewind has opened again: it follows once they have been answered. */
  readonly held: readonly Said[];
  /** How often the model has answered. */
  readonly turns: number;
  /** The calls of the last answer that are ours to carry out. */
  readonly lastCalls: readonly ToolCallPart[];
  readonly openCalls: readonly OpenCall[];
  /** The last message, when it is the model's and calls no tool: what it ends with. */
  readonly lastWords: string | null;
  /** An effect has begun of which no checkpoint has been tried yet. */
  readonly isCheckpointDue: boolean;
  /** What the last answer's calls did is in a checkpoint. */
  readonly isKept: boolean;
  /** What the last answered request was estimated at, and what it really was; null until a server has counted all of one. */
  readonly measured: { readonly estimated: number; readonly tokens: number } | null;
  /** What the request was estimated at whose usage comes next. */
  readonly askedWith: number | null;
  readonly retrieved: readonly string[];
  readonly usage: Usage;
  /** The configured names of those whose answers these are, each once. */
  readonly models: readonly string[];
  readonly done: { readonly output: unknown } | null;
}

export const NEW_CONVERSATION: Conversation = {
  instructions: null,
  said: [],
  held: [],
  turns: 0,
  lastCalls: [],
  openCalls: [],
  lastWords: null,
  isCheckpointDue: false,
  isKept: false,
  measured: null,
  askedWith: null,
  retrieved: [],
  usage: NO_USAGE,
  models: [],
  done: null,
};

/** The conversation after one more entry of its journal. */
export function withEntry(before: Conversation, entry: JournalEntry): Conversation {
  switch (entry.kind) {
    case 'message':
      return withMessage(before, checked(entry.message));
    case 'begin': {
      const openCalls = before.openCalls.map((open) =>
        open.call.toolCallId === entry.callId ? { ...open, begun: true } : open,
      );
      return { ...before, openCalls, isCheckpointDue: true };
    }
    case 'result':
      return withAnswered(before, said('result', checked(entry.message)));
    case 'usage':
      return withUsage(before, entry.usage);
    case 'note':
      return { ...before, said: [...before.said, said('note', checked(entry.message))], lastWords: null };
    case 'trim':
      return { ...before, said: withShortResults(before.said, entry.results) };
    case 'checkpoint':
      return { ...before, isCheckpointDue: false, isKept: entry.commit !== null };
    case 'rewind':
      return rewound(before);
    case 'retrieved':
      return { ...before, retrieved: entry.paths };
    case 'done':
      return { ...before, done: { output: entry.output } };
    case 'reading_begun':
    case 'reading_ended':
      return before; // of test runs, which have journals of their own
  }
}

/** What the model is sent. */
export function sentMessages(conversation: Conversation): ModelMessage[] {
  return conversation.said.map(({ sent }) => sent);
}

/** What all that was said takes of a model's window, estimated message by message. */
export function estimatedSize({ instructions, said }: Conversation): number {
  return said.reduce((sum, { tokens }) => sum + tokens, estimatedTokens(instructions));
}

/** How many messages of a kind there are. */
export function countOf({ said, held }: Conversation, kind: Said['kind']): number {
  return [...said, ...held].filter((one) => one.kind === kind).length;
}

function withMessage(before: Conversation, message: ModelMessage): Conversation {
  switch (message.role) {
    case 'system':
      return { ...before, instructions: message.content };
    case 'user': {
      const kind = before.said.length === 0 ? 'request' : 'mend';
      return { ...before, said: [...before.said, said(kind, message)], lastWords: null };
    }
    case 'tool': {
      const after = withAnswered(before, said('refused', message));
      return { ...after, lastCalls: after.openCalls.map(({ call }) => call) };
    }
    case 'assistant':
      return withAnswer(before, message);
  }
}

function withAnswer(before: Conversation, message: AssistantModelMessage): Conversation {
  const parts =
    typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content;
  const calls = parts.filter((part) => part.type === 'tool-call').filter((part) => !part.providerExecuted);
  const words = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const maker = makerOf(message);
  // An answer without words and calls counts as a turn, but providers refuse to be sent one.
  const isEmpty = words === '' && !parts.some((part) => part.type === 'tool-call');
  return {
    ...before,
    said: isEmpty ? before.said : [...before.said, said('answer', message)],
    turns: before.turns + 1,
    models: maker === null || before.models.includes(maker) ? before.models : [...before.models, maker],
    lastCalls: calls,
    openCalls: calls.map((call) => ({ call, begun: false })),
    lastWords: calls.length === 0 ? words : null,
    isKept: false,
    askedWith: estimatedSize(before),
  };
}

function withAnswered(before: Conversation, answer: Said): Conversation {
  const content = answer.message.role === 'tool' ? answer.message.content : [];
  const answered = new Set(content.map((part) => (part.type === 'tool-result' ? part.toolCallId : '')));
  const openCalls = before.openCalls.filter(({ call }) => !answered.has(call.toolCallId));
  const following = openCalls.length === 0 ? before.held : [];
  return {
    ...before,
    said: [...before.said, answer, ...following],
    held: openCalls.length === 0 ? [] : before.held,
    openCalls,
    lastWords: null,
  };
}

function withUsage(before: Conversation, usage: Usage): Conversation {
  const estimated = before.askedWith ?? estimatedSize(before);
  // Some servers count nothing; some leave out what they still had in their cache, or what they cut off.
  const isWhole = usage.input_tokens >= estimated * CREDIBLE_SHARE;
  const measured = isWhole ? { estimated, tokens: usage.input_tokens } : before.measured;
  return { ...before, usage: addUsage(before.usage, usage), measured, askedWith: null };
}

/** Back to where the last answer's calls were all still to be made, unless what they did was kept. */
function rewound(before: Conversation): Conversation {
  if (before.isKept || before.lastCalls.length === 0) return { ...before, isCheckpointDue: false };
  const end = before.said.findLastIndex(({ kind }) => kind === 'answer') + 1;
  const after = before.said.slice(end);
  return {
    ...before,
    said: [...before.said.slice(0, end), ...after.filter(({ kind }) => kind === 'refused')],
    held: [...before.held, ...after.filter(({ kind }) => kind === 'note' || kind === 'mend')],
    openCalls: before.lastCalls.map((call) => ({ call, begun: false })),
    lastWords: null,
    isCheckpointDue: false,
  };
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
