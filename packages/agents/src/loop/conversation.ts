import type { Journal, JournalEntry, JournalWrite } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import { addUsage, NO_USAGE, type Usage } from '@sluice/core/pipeline';
import { type AssistantModelMessage, type ModelMessage, modelMessageSchema, type ToolCallPart } from 'ai';
import { makerOf } from '../models/portable-messages.ts';
import { withShortResults } from './short-results.ts';
import {
  type CountedRequest,
  isCutCount,
  isWholeCount,
  NO_CUT,
  type SilentCut,
  withCount,
  withoutHighest,
} from './silent-cut.ts';
import { estimatedTokens, type TranscriptMessage, transcriptMessage } from './transcript.ts';

/** A call of the last answer that has no result yet. */
export interface OpenCall {
  readonly call: ToolCallPart;
  /** Whether its effect may have happened: it had begun when an earlier process ended. */
  readonly begun: boolean;
}

/** The state of a conversation, folded from the entries of its journal. */
export interface Conversation {
  readonly instructions: string | null;
  /** The request, followed by the model's answers, the results of their calls, notes, and corrections. */
  readonly transcript: readonly TranscriptMessage[];
  /** Messages after calls that a rewind has opened again. They follow once those calls are answered. */
  readonly deferred: readonly TranscriptMessage[];
  /** How often the model has answered. */
  readonly turns: number;
  /** The calls of the last answer that we carry out. */
  readonly lastCalls: readonly ToolCallPart[];
  readonly openCalls: readonly OpenCall[];
  /** The text of the last message when it is the model's and calls no tool: its final answer. */
  readonly finalText: string | null;
  /** An effect has begun since the last checkpoint was tried. */
  readonly isCheckpointDue: boolean;
  /** The effects of the last answer's calls are in a checkpoint. */
  readonly isCheckpointed: boolean;
  /** Estimated and real size of the last request; null until a server has reported a complete count. */
  readonly measured: Measure | null;
  /** The size of the request before; used if the last answer turns out to have been truncated. */
  readonly measuredBefore: Measure | null;
  /** The request whose usage comes next. */
  readonly request: RequestSize | null;
  /** Whether the server seems to cut what it is sent. */
  readonly cut: SilentCut;
  readonly retrieved: readonly string[];
  readonly usage: Usage;
  /** The configured names of the models that answered, each once. */
  readonly models: readonly string[];
  readonly done: { readonly output: unknown } | null;
  /** It goes on with earlier rounds, and the message that opens this round is still missing. */
  readonly awaitsOpening: boolean;
}

interface Measure {
  readonly estimated: number;
  readonly tokens: number;
}

interface RequestSize {
  /** In tokens. */
  readonly estimated: number;
  /** The tokens of it that the model has not written itself. */
  readonly given: number;
}

const NEW_CONVERSATION: Conversation = {
  instructions: null,
  transcript: [],
  deferred: [],
  turns: 0,
  lastCalls: [],
  openCalls: [],
  finalText: null,
  isCheckpointDue: false,
  isCheckpointed: false,
  measured: null,
  measuredBefore: null,
  request: null,
  cut: NO_CUT,
  retrieved: [],
  usage: NO_USAGE,
  models: [],
  done: null,
  awaitsOpening: false,
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
      return withAnswered(before, transcriptMessage('result', checked(entry.message)));
    case 'usage':
      // The answer broke off, so its usage says nothing of how the server counts.
      if (entry.isEstimate) return { ...before, usage: addUsage(before.usage, entry.usage) };
      return withUsage(before, entry.usage);
    case 'note':
      return {
        ...before,
        transcript: [...before.transcript, transcriptMessage('note', checked(entry.message))],
        finalText: null,
      };
    case 'told': {
      const instruction = { ...transcriptMessage('told', checked(entry.message)), about: entry.about };
      return { ...before, transcript: [...before.transcript, instruction] };
    }
    case 'trim':
      return {
        ...before,
        transcript: withShortResults(before.transcript, entry),
        cut: withoutHighest(before.cut),
      };
    case 'checkpoint':
      return {
        ...before,
        transcript: entry.commit === null ? before.transcript : withTree(before.transcript, entry.commit),
        isCheckpointDue: false,
        isCheckpointed: entry.commit !== null,
      };
    case 'rewind':
      return rewound(before);
    case 'retrieved':
      return { ...before, retrieved: entry.paths };
    case 'done':
      return { ...before, done: { output: entry.output } };
    case 'reading_begun':
    case 'reading_ended':
      return before; // entries of test runs, which have their own journals
  }
}

/** A journal with the conversation that it adds up to. */
export interface ConversationRecord {
  now(): Conversation;
  /** Appends to the journal; the conversation changes only after the write has succeeded. */
  write(written: JournalWrite): Promise<void>;
}

export function openRecord(journal: Journal): ConversationRecord {
  const earlier = (journal.earlier ?? []).reduce(
    (before, entries) => withNewRound(entries.reduce(withEntry, before)),
    NEW_CONVERSATION,
  );
  let conversation = journal.entries.reduce(withEntry, earlier);
  return {
    now: () => conversation,
    async write(written) {
      await journal.append(written);
      conversation = written.entries.reduce(withEntry, conversation);
    },
  };
}

/** The conversation at the start of another round: all messages stay. Usage and the number of answers start again. */
function withNewRound(before: Conversation): Conversation {
  if (before.transcript.length === 0) return NEW_CONVERSATION;
  return { ...before, turns: 0, finalText: null, usage: NO_USAGE, models: [], done: null, awaitsOpening: true };
}

/** The messages to send to the model. */
export function sentMessages(conversation: Conversation): ModelMessage[] {
  return conversation.transcript.map(({ sent }) => sent);
}

/** Estimated tokens of the whole conversation. */
export function estimatedSize(conversation: Conversation): number {
  return sizeOf(conversation).estimated;
}

function sizeOf({ instructions, transcript }: Conversation): RequestSize {
  let [answers, given] = [0, estimatedTokens(instructions)];
  for (const { kind, tokens } of transcript) {
    if (kind === 'answer') answers += tokens;
    else given += tokens;
  }
  return { estimated: given + answers, given };
}

/** The number of such messages in this round. */
export function countOf(
  { transcript, deferred }: Conversation,
  isCounted: (message: TranscriptMessage) => boolean,
): number {
  const all = [...transcript, ...deferred];
  return all.slice(all.findLastIndex(({ kind }) => kind === 'opening') + 1).filter(isCounted).length;
}

/** The transcript with the commit of the tree at its last answer. */
function withTree(transcript: readonly TranscriptMessage[], tree: string): readonly TranscriptMessage[] {
  const at = transcript.findLastIndex(({ kind }) => kind === 'answer');
  return transcript.map((one, index) => (index === at ? { ...one, tree } : one));
}

function withMessage(before: Conversation, message: ModelMessage): Conversation {
  switch (message.role) {
    case 'system':
      return { ...before, instructions: message.content };
    case 'user': {
      const next = before.awaitsOpening ? 'opening' : 'correction';
      const kind = before.transcript.length === 0 ? 'request' : next;
      return {
        ...before,
        transcript: [...before.transcript, transcriptMessage(kind, message)],
        finalText: null,
        awaitsOpening: false,
      };
    }
    case 'tool': {
      const after = withAnswered(before, transcriptMessage('refused', message));
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
  // An empty answer counts as a turn, but providers reject it in a request.
  const isEmpty = words === '' && !parts.some((part) => part.type === 'tool-call');
  return {
    ...before,
    transcript: isEmpty ? before.transcript : [...before.transcript, transcriptMessage('answer', message)],
    turns: before.turns + 1,
    models: maker === null || before.models.includes(maker) ? before.models : [...before.models, maker],
    lastCalls: calls,
    openCalls: calls.map((call) => ({ call, begun: false })),
    finalText: calls.length === 0 ? words : null,
    isCheckpointed: false,
    request: sizeOf(before),
  };
}

function withAnswered(before: Conversation, answer: TranscriptMessage): Conversation {
  const content = answer.message.role === 'tool' ? answer.message.content : [];
  const answered = new Set(content.map((part) => (part.type === 'tool-result' ? part.toolCallId : '')));
  const openCalls = before.openCalls.filter(({ call }) => !answered.has(call.toolCallId));
  const following = openCalls.length === 0 ? before.deferred : [];
  return {
    ...before,
    transcript: [...before.transcript, answer, ...following],
    deferred: openCalls.length === 0 ? [] : before.deferred,
    openCalls,
    finalText: null,
  };
}

function withUsage(before: Conversation, usage: Usage): Conversation {
  const size = before.request ?? sizeOf(before);
  const counted = { ...size, reported: usage.input_tokens };
  const cut = withCount(before.cut, counted);
  return {
    ...before,
    ...measuresAfter(before, { cut, counted }),
    usage: addUsage(before.usage, usage),
    cut,
    request: null,
  };
}

/** The measures after a count. That of a request which was cut says nothing of how long the next one is. */
function measuresAfter(
  { measured, measuredBefore }: Conversation,
  { cut, counted }: { readonly cut: SilentCut; readonly counted: CountedRequest },
): Pick<Conversation, 'measured' | 'measuredBefore'> {
  if (isCutCount(cut)) return { measured: measuredBefore, measuredBefore };
  if (!isWholeCount(counted)) return { measured, measuredBefore };
  return { measured: { estimated: counted.estimated, tokens: counted.reported }, measuredBefore: measured };
}

/** What people and the service wrote after an answer. */
const FOLLOWING: ReadonlySet<TranscriptMessage['kind']> = new Set(['note', 'correction', 'opening', 'told']);

/** Reopens all calls of the last answer, unless their effects are in a checkpoint. */
function rewound(before: Conversation): Conversation {
  if (before.isCheckpointed || before.lastCalls.length === 0) return { ...before, isCheckpointDue: false };
  const end = before.transcript.findLastIndex(({ kind }) => kind === 'answer') + 1;
  const after = before.transcript.slice(end);
  return {
    ...before,
    transcript: [...before.transcript.slice(0, end), ...after.filter(({ kind }) => kind === 'refused')],
    deferred: [...before.deferred, ...after.filter(({ kind }) => FOLLOWING.has(kind))],
    openCalls: before.lastCalls.map((call) => ({ call, begun: false })),
    finalText: null,
    isCheckpointDue: false,
  };
}

function checked(message: unknown): ModelMessage {
  const parsed = modelMessageSchema.safeParse(message);
  if (!parsed.success)
    throw new AppError('internal', { detail: 'The journal holds an unreadable message.' }, { cause: parsed.error });
  return parsed.data;
}
