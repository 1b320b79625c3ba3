import type { ModelMessage, ToolCallPart, ToolResultPart } from 'ai';
import { plainPath } from '../tools/plan-scope.ts';
import { readFile } from '../tools/read-file.ts';
import { runCommand } from '../tools/run-command.ts';
import { shortenMiddle } from '../tools/shorten.ts';
import { fileWrites } from './file-writes.ts';
import {
  type CallWithResult,
  callsWithResults,
  estimatedTokens,
  hasFailed,
  outcomeOf,
  resultText,
  type TranscriptMessage,
} from './transcript.ts';

/** The parts of a request that are shortened. They are counted by their results, from the first. */
export interface Shortening {
  /** The first results. */
  readonly results: number;
  /**
   * The first calls to shorten. They lose what is no longer needed: long texts that were written or refused, thoughts,
   * and what was read of a file that was changed or read again since.
   */
  readonly spent?: number | undefined;
  /** The most characters of any other result. */
  readonly longest?: number | undefined;
  /** The characters that stay of what is shortened; with 0, the first results are left out whole. */
  readonly kept?: number | undefined;
}

/** The characters of a shortened text: enough to recognise it, with both ends of a test run's output. */
export const KEPT_CHARACTERS = 400;

const MIN_TEXT = 200; // characters of a call's input: below this, the note would take the space that is saved
const LEFT_OUT = '(Left out by the service to make room. Call the tool again if you need it.)';
const MISSING = '(Shortened by the service to make room. Call the tool again if you need the rest.)';
const OUT_OF_DATE =
  '(Left out by the service to make room: this file was changed or read again later, so this text is out of date.)';

/**
 * Shortens what a model is sent of its conversation; the newest failed command stays whole as long as it can. What was
 * shortened before stays as it is: the less changes, the more of the provider's prompt cache stays valid.
 */
export function withShortResults(
  transcript: readonly TranscriptMessage[],
  { results, spent = 0, longest = Number.POSITIVE_INFINITY, kept = KEPT_CHARACTERS }: Shortening,
): TranscriptMessage[] {
  const failure = newestFailure(transcript);
  const made = callsWithResults(transcript);
  const ended = new Map(made.slice(0, spent).map(({ call, result }) => [call, result]));
  const outdated = outdatedReads(made, spent);
  let count = 0;
  return transcript.map((one) => {
    if (one.message.role === 'assistant') return withSent(one, withShortCalls(one, { ended, kept }));
    if (one.message.role !== 'tool' || one.sent.role !== 'tool') return one;
    const { content: before } = one.sent;
    const content = one.message.content.map((part, index) => {
      if (part.type !== 'tool-result') return part;
      count += 1;
      const sent = before[index] ?? part;
      if (sent.type !== 'tool-result') return part;
      if (outdated.has(part)) return shorter(sent, { ...part, output: { type: 'text', value: OUT_OF_DATE } });
      if (count <= results && part !== failure) return shorter(sent, shortened(part, { limit: kept, kept }));
      return shorter(sent, shortened(part, { limit: longest, kept }));
    });
    const isSame = content.every((part, index) => part === before[index]);
    return withSent(one, isSame ? one.sent : { ...one.sent, content });
  });
}

/** The number of tool results in these messages. */
export function resultCount(transcript: readonly TranscriptMessage[]): number {
  return transcript.reduce((sum, { message }) => {
    if (message.role !== 'tool') return sum;
    return sum + message.content.filter((part) => part.type === 'tool-result').length;
  }, 0);
}

function withSent(one: TranscriptMessage, sent: ModelMessage): TranscriptMessage {
  return sent === one.sent ? one : { ...one, sent, tokens: estimatedTokens(sent) };
}

function shortened(
  part: ToolResultPart,
  { limit, kept }: { readonly limit: number; readonly kept: number },
): ToolResultPart {
  const { output } = part;
  if (output.type !== 'text' && output.type !== 'error-text') return part;
  if (output.value.length <= Math.max(limit, worthShortening(kept))) return part;
  const value = limit === 0 ? LEFT_OUT : `${shortenMiddle(output.value, limit)}\n${MISSING}`;
  return { ...part, output: { ...output, value } };
}

/** The length above which a text is worth shortening: below it, the note about the missing part would take the space. */
function worthShortening(kept: number): number {
  return 2 * kept;
}

/** The shorter of both, and the one that was sent where nothing is gained. */
function shorter(sent: ToolResultPart, other: ToolResultPart): ToolResultPart {
  return resultText(other).length < resultText(sent).length ? other : sent;
}

/** The reads among the first calls whose file was changed, or read again to the same extent, by a later call. */
function outdatedReads(made: readonly CallWithResult[], spent: number): ReadonlySet<ToolResultPart> {
  const outdated = new Set<ToolResultPart>();
  const later = new Set<string>();
  for (const [index, one] of [...made.entries()].reverse()) {
    for (const { path } of fileWrites(one)) later.add(path);
    if (one.call.toolName !== readFile.name || hasFailed(one.result)) continue;
    const again = JSON.stringify(one.call.input);
    if (index < spent && (later.has(pathOf(one.call)) || later.has(again))) outdated.add(one.result);
    later.add(again);
  }
  return outdated;
}

function pathOf({ input }: ToolCallPart): string {
  return typeof input === 'object' && input !== null && 'path' in input ? plainPath(String(input.path)) : '';
}

/** An answer without the long texts of its calls that have ended, and without its long thoughts. */
function withShortCalls(
  { message, sent }: TranscriptMessage,
  { ended, kept }: { readonly ended: ReadonlyMap<ToolCallPart, ToolResultPart>; readonly kept: number },
): ModelMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return sent;
  if (sent.role !== 'assistant' || typeof sent.content === 'string') return sent;
  const { content } = message;
  if (!content.some((part) => part.type === 'tool-call' && ended.has(part))) return sent;
  const before = sent.content;
  const short = before.map((part, index) => {
    const made = content[index];
    const result = made?.type === 'tool-call' ? ended.get(made) : undefined;
    if (part.type === 'tool-call' && result !== undefined) {
      const input = withoutLongTexts(part.input, { longest: Math.max(worthShortening(kept), MIN_TEXT), result });
      return input === part.input ? part : { ...part, input };
    }
    // Signed thoughts must stay as they are; those of servers that sign nothing may be shortened.
    if (part.type !== 'reasoning' || made?.type !== 'reasoning' || part.providerOptions !== undefined) return part;
    const text = made.text.length > worthShortening(kept) ? shortenMiddle(made.text, kept) : made.text;
    return text.length < part.text.length ? { ...part, text } : part;
  });
  return short.every((part, index) => part === before[index]) ? sent : { ...sent, content: short };
}

const fates: Record<ReturnType<typeof outcomeOf>, string> = {
  done: 'which were taken as written',
  refused: 'of a call that was refused',
  unknown: 'of a call that may have had its effect',
};

/** The same value where no text in it is long. */
function withoutLongTexts(value: unknown, by: { readonly longest: number; readonly result: ToolResultPart }): unknown {
  if (typeof value === 'string') {
    if (value.length <= by.longest) return value;
    return `(${value.length} characters, ${fates[outcomeOf(by.result)]}; left out by the service to make room)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const short = members.map(([name, member]) => [name, withoutLongTexts(member, by)] as const);
  if (short.every(([, member], index) => member === members[index]?.[1])) return value;
  return Array.isArray(value) ? short.map(([, member]) => member) : Object.fromEntries(short);
}

/** The failure that the agent most likely still works on. */
function newestFailure(transcript: readonly TranscriptMessage[]): ToolResultPart | null {
  for (const { message } of transcript.toReversed()) {
    if (message.role !== 'tool') continue;
    for (const part of message.content.toReversed()) {
      if (part.type === 'tool-result' && part.toolName === runCommand.name && hasFailed(part)) return part;
    }
  }
  return null;
}
