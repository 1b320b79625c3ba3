import type { AssistantModelMessage, ModelMessage, ToolCallPart, ToolResultPart } from 'ai';
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
  resultText,
  type TranscriptMessage,
} from './transcript.ts';

/** What is sent shortened. The parts are counted by their results, from the first. */
export interface Shortening {
  /** The first results. */
  readonly results: number;
  /**
   * Of the first calls, what nobody needs any more: long texts that were written, thoughts, and what was read of a file that
   * was changed or read again since.
   */
  readonly spent?: number | undefined;
  /** The most characters of any other result. */
  readonly longest?: number | undefined;
}

const KEPT_CHARACTERS = 400; // enough to recognise it, with both ends of a test run's output
const WORTH_CHARACTERS = 800; // below this, the note about the missing part would take the space that is saved
const MISSING = '(Shortened by the service to make room. Call the tool again if you need the rest.)';
const OUT_OF_DATE =
  '(Left out by the service to make room: this file was changed or read again later, so this text is out of date.)';

/**
 * Shortens what a model is sent of its conversation; the newest failed command stays whole as long as it can. What was
 * shortened before stays as it is: the less changes, the more of the provider's prompt cache stays valid.
 */
export function withShortResults(
  transcript: readonly TranscriptMessage[],
  { results, spent = 0, longest = Number.POSITIVE_INFINITY }: Shortening,
): TranscriptMessage[] {
  const failure = newestFailure(transcript);
  const made = callsWithResults(transcript);
  const ended = new Map(made.slice(0, spent).map(({ call, result }) => [call, result]));
  const outdated = outdatedReads(made, spent);
  let count = 0;
  return transcript.map((one) => {
    if (one.message.role === 'assistant') return withSent(one, withShortCalls(one.message, { sent: one.sent, ended }));
    if (one.message.role !== 'tool' || one.sent.role !== 'tool') return one;
    const { content: before } = one.sent;
    const content = one.message.content.map((part, index) => {
      if (part.type !== 'tool-result') return part;
      count += 1;
      const sent = before[index] ?? part;
      if (sent.type !== 'tool-result') return part;
      if (outdated.has(part)) return shorter(sent, { ...part, output: { type: 'text', value: OUT_OF_DATE } });
      if (count <= results && part !== failure) return shorter(sent, shortened(part, KEPT_CHARACTERS));
      return shortened(sent, longest);
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

function shortened(part: ToolResultPart, limit: number): ToolResultPart {
  const { output } = part;
  if (
    (output.type !== 'text' && output.type !== 'error-text') ||
    output.value.length <= Math.max(limit, WORTH_CHARACTERS)
  )
    return part;
  return { ...part, output: { ...output, value: `${shortenMiddle(output.value, limit)}\n${MISSING}` } };
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

/** An answer without the long texts of its calls that have succeeded, and without its long thoughts. */
function withShortCalls(
  { content }: AssistantModelMessage,
  { sent, ended }: { readonly sent: ModelMessage; readonly ended: ReadonlyMap<ToolCallPart, ToolResultPart> },
): ModelMessage {
  if (typeof content === 'string' || sent.role !== 'assistant' || typeof sent.content === 'string') return sent;
  if (!content.some((part) => part.type === 'tool-call' && ended.has(part))) return sent;
  const before = sent.content;
  const short = before.map((part, index) => {
    const made = content[index];
    const result = made?.type === 'tool-call' ? ended.get(made) : undefined;
    if (part.type === 'tool-call' && result !== undefined && !hasFailed(result)) {
      const input = withoutLongTexts(part.input);
      return input === part.input ? part : { ...part, input };
    }
    // Signed thoughts must stay as they are; those of servers that sign nothing may be shortened.
    if (part.type !== 'reasoning' || part.providerOptions !== undefined || part.text.length <= WORTH_CHARACTERS)
      return part;
    return { ...part, text: shortenMiddle(part.text, KEPT_CHARACTERS) };
  });
  return short.every((part, index) => part === before[index]) ? sent : { ...sent, content: short };
}

/** The same value where no text in it is long. */
function withoutLongTexts(value: unknown): unknown {
  if (typeof value === 'string') {
    if (value.length <= WORTH_CHARACTERS) return value;
    return `(${value.length} characters, which were taken as written; left out by the service to make room)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const short = members.map(([name, member]) => [name, withoutLongTexts(member)] as const);
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
