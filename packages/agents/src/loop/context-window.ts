import { AppError } from '@sluice/core';
import type { ModelChoice } from '../models/model-choice.ts';
import { type Conversation, estimatedSize } from './conversation.ts';
import { resultCount, withShortResults } from './short-results.ts';
import { BYTES_PER_TOKEN, type TranscriptMessage } from './transcript.ts';

/*
 * Old tool results are shortened in big steps: from 80 % of the room down to 50 %. Each step changes the beginning of the
 * request and so invalidates the provider's prompt cache; a step in every turn would pay for the whole request each time.
 */
const FULL_SHARE = 0.8; // the estimate can be wrong by some percent, and the next results can be long
const TARGET_SHARE = 0.5;
const WORTH_SHARE = 0.1; // a step that frees less is made only when nothing else helps
const KEPT_TURNS = 3; // the agent is working on these
const ANSWER_SHARE = 0.12; // kept free where no limit is set; longer answers are rare
const MIN_ANSWER_TOKENS = 2_000; // an answer that writes a file of 200 lines
const TOOL_TOKENS = 250; // for a tool's description and schema, until a model has counted them

/** Which results to shorten, counted from the first. */
export interface Trim {
  readonly results: number;
  /** Tokens, estimated. */
  readonly saved: number;
}

/** The tokens that a request may have so that the answer still fits; null: any number. */
export function roomFor({ contextTokens, maxOutputTokens }: ModelChoice): number | null {
  if (contextTokens === null) return null;
  const answer = maxOutputTokens ?? Math.max(MIN_ANSWER_TOKENS, ANSWER_SHARE * contextTokens);
  return contextTokens - Math.min(answer, contextTokens / 2);
}

/** The room of the model that works, in characters of English and code; infinite without a window. */
export function roomInCharacters([first]: readonly ModelChoice[]): number {
  const room = first === undefined ? null : roomFor(first);
  return room === null ? Number.POSITIVE_INFINITY : Math.floor(room * BYTES_PER_TOKEN);
}

/** The size of the next request: the real size of the last one, and an estimate of the difference. */
export function requestTokens(conversation: Conversation, toolCount: number): number {
  const size = estimatedSize(conversation);
  const { measured } = conversation;
  if (measured === null) return size + toolCount * TOOL_TOKENS;
  return Math.max(0, measured.tokens + size - measured.estimated);
}

/**
 * Plans what to shorten before the next request; null when it fits, or when too little can be saved.
 *
 * @param tokens the size of the request
 * @throws AppError `model_context_full` when it cannot fit
 */
export function planTrim(conversation: Conversation, { tokens, room }: { tokens: number; room: number }): Trim | null {
  if (tokens <= FULL_SHARE * room) return null;
  for (const turns of [KEPT_TURNS, 1]) {
    const trim = trimBefore(conversation, { turns, wanted: tokens - TARGET_SHARE * room });
    const isWorthIt = trim.saved >= WORTH_SHARE * room || tokens > room;
    if (tokens - trim.saved <= room) return isWorthIt ? trim : null;
  }
  throw new AppError('model_context_full', {
    detail: `The conversation takes about ${Math.round(tokens)} tokens, but the model has room for ${Math.round(room)}, even with all older tool results shortened. Use a model with a larger context window, or make the issue smaller.`,
  });
}

/** Shortens everything that can be shortened; null when nothing is left. */
export function hardestTrim(conversation: Conversation): Trim | null {
  const trim = trimBefore(conversation, { turns: 1, wanted: Number.POSITIVE_INFINITY });
  return trim.saved > 0 ? trim : null;
}

function trimBefore(
  { transcript }: Conversation,
  { turns, wanted }: { readonly turns: number; readonly wanted: number },
): Trim {
  const end = startOfLastTurns(transcript, turns);
  const short = withShortResults(transcript, resultCount(transcript.slice(0, end)));
  let saved = 0;
  let length = 0;
  while (length < end && saved < wanted) {
    saved += (transcript[length]?.tokens ?? 0) - (short[length]?.tokens ?? 0);
    length += 1;
  }
  return { results: resultCount(transcript.slice(0, length)), saved };
}

function startOfLastTurns(transcript: readonly TranscriptMessage[], turns: number): number {
  const answers = transcript.flatMap(({ kind }, index) => (kind === 'answer' ? [index] : []));
  return answers.at(-turns) ?? 0;
}
