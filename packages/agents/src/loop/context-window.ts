import { AppError } from '@sluice/core';
import { type Conversation, estimatedSize } from './conversation.ts';
import type { ModelChoice } from './model-choice.ts';
import type { Said } from './said.ts';
import { resultCount, withShortResults } from './short-results.ts';

/*
 * Old results of tools are shortened in big steps: from 80 % of the room down to 50 %. Each step changes the beginning
 * of what is sent, which throws away the provider's prompt cache; a step for every turn would pay for all of it anew
 * each time.
 */
const FULL_SHARE = 0.8; // the estimate can be wrong by some percent, and the next results can be long
const TARGET_SHARE = 0.5;
const WORTH_SHARE = 0.1; // a step that frees less is only made where nothing else helps
const KEPT_TURNS = 3; // what the agent has before its eyes just now
const UNLIMITED_ANSWER_TOKENS = 8_192; // kept free where no limit is set; longer answers are rare
const TOOL_TOKENS = 250; // a tool's description and schema, until a model has counted them

/** Which results to shorten, counted from the first. */
export interface Trim {
  readonly results: number;
  /** Tokens, estimated. */
  readonly saved: number;
}

/** How many tokens a request may have, so that the answer still fits; null: any number. */
export function roomFor({ contextTokens, maxOutputTokens }: ModelChoice): number | null {
  if (contextTokens === null) return null;
  return contextTokens - Math.min(maxOutputTokens ?? UNLIMITED_ANSWER_TOKENS, contextTokens / 2);
}

/** What the next request will take: what the last one really took, and an estimate of what has changed since. */
export function requestTokens(conversation: Conversation, toolCount: number): number {
  const size = estimatedSize(conversation);
  const { measured } = conversation;
  if (measured === null) return size + toolCount * TOOL_TOKENS;
  return Math.max(0, measured.tokens + size - measured.estimated);
}

/**
 * What to shorten before the next request; null when it fits, or nothing worth it is left.
 *
 * @param tokens what the request would take
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
    detail: `The work takes about ${Math.round(tokens)} tokens, and the model has room for ${Math.round(room)}, also with all older results of tools shortened. Use a model with a larger context window, or make the issue smaller.`,
  });
}

/** All that may be shortened at all; null when all of it has been. */
export function hardestTrim(conversation: Conversation): Trim | null {
  const trim = trimBefore(conversation, { turns: 1, wanted: Number.POSITIVE_INFINITY });
  return trim.saved > 0 ? trim : null;
}

function trimBefore(
  { said }: Conversation,
  { turns, wanted }: { readonly turns: number; readonly wanted: number },
): Trim {
  const end = startOfLastTurns(said, turns);
  const short = withShortResults(said, resultCount(said.slice(0, end)));
  let saved = 0;
  let length = 0;
  while (length < end && saved < wanted) {
    saved += (said[length]?.tokens ?? 0) - (short[length]?.tokens ?? 0);
    length += 1;
  }
  return { results: resultCount(said.slice(0, length)), saved };
}

function startOfLastTurns(said: readonly Said[], turns: number): number {
  const answers = said.flatMap(({ kind }, index) => (kind === 'answer' ? [index] : []));
  return answers.at(-turns) ?? 0;
}
