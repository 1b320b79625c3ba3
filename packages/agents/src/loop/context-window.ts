import { AppError } from '@sluice/core/error';
import { longestAnswer } from '../models/longest-answer.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import { type Conversation, estimatedSize } from './conversation.ts';
import { KEPT_CHARACTERS, resultCount, type Shortening, withShortResults } from './short-results.ts';
import { BYTES_PER_TOKEN, type TranscriptMessage } from './transcript.ts';

/*
 * What is shortened is shortened in big steps: from 80 % of the room down to a half, and in a small window, where the
 * beginning takes much of it, to a third. Each step changes the beginning of the request and so invalidates the provider's
 * prompt cache; a step in every turn would pay for the whole request each time.
 */
const FULL_SHARE = 0.8; // the estimate can be wrong by some percent, and the next results can be long
const TARGET_SHARE = 0.5;
const SMALL_TARGET_SHARE = 0.35;
const SMALL_TOKENS = 32_000; // of the window
const STEP_SHARE = 0.3; // of the window: a smaller step is made only when nothing else helps
const KEPT_TURNS = [3, 1]; // the agent is working on these
const KEPT_SHARE = 0.004; // of the room, of what is shortened: a hundred turns still fit
const MAX_RESULT_SHARES = [0.15, 0.05, 0.02]; // of the room, for a result of a turn that alone is too long
const ANSWER_SHARE = 0.12; // kept free where no limit is set; longer answers are rare
const THINKING_SHARE = 0.25; // the same for a model that is asked to think
const MIN_ANSWER_TOKENS = 2_000; // an answer that writes a file of 200 lines
const ESTIMATE_TOLERANCE = 1.2; // estimates come to a quarter too many
const TOOL_TOKENS = 250; // for a tool's description and schema, until a model has counted them

/** What to shorten. */
export interface Trim extends Shortening {
  /** Tokens, estimated. */
  readonly saved: number;
}

/** A request to fit into a window, all in tokens. */
export interface Fit {
  /** The size of the request. */
  readonly tokens: number;
  /** The tokens that it may have. */
  readonly room: number;
  readonly window: number;
  /** No server has counted any of it yet. */
  readonly isEstimate?: boolean;
  /** What else to say when it cannot fit. */
  readonly advice?: string;
}

/** The tokens that a request may have so that the thoughts and the answer still fit; null: any number. */
export function roomFor(
  choice: Pick<ModelChoice, 'contextTokens' | 'maxOutputTokens' | 'thinkingTokens' | 'thinking'>,
): number | null {
  const { contextTokens, thinkingTokens = 0, thinking } = choice;
  if (contextTokens === null) return null;
  const share = thinking?.isOn ? THINKING_SHARE : ANSWER_SHARE;
  const answer = longestAnswer(choice) ?? Math.max(MIN_ANSWER_TOKENS, share * contextTokens);
  return Math.max(0, contextTokens - thinkingTokens - Math.min(answer, contextTokens / 2));
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
 * Plans what to shorten before the next request; null when it fits, or when a step would save little yet. First goes what
 * nobody needs any more, then the oldest results are shortened, then left out; what has been done last goes only when
 * nothing else helps.
 *
 * @throws AppError `model_context_full` when it cannot fit
 */
export function planTrim(
  conversation: Conversation,
  { tokens, room, window, isEstimate = false, advice = '' }: Fit,
): Trim | null {
  if (tokens <= FULL_SHARE * room) return null;
  const step = STEP_SHARE * window;
  const target = (window < SMALL_TOKENS ? SMALL_TARGET_SHARE : TARGET_SHARE) * room;
  const tokensToSave = Math.max(step, tokens - target);
  const kept = Math.min(KEPT_CHARACTERS, Math.floor(KEPT_SHARE * room * BYTES_PER_TOKEN));
  const fits = ({ saved }: Trim) => tokens - saved <= room;
  const isBig = (trim: Trim) => trim.saved >= step && fits(trim);
  const big = KEPT_TURNS.map((turns) => trimBefore(conversation, { turns, step, tokensToSave, kept })).find(isBig);
  if (big !== undefined) return big;
  if (tokens <= room) return null;
  const bare = KEPT_TURNS.map((turns) => trimBefore(conversation, { turns, step, tokensToSave, kept: 0 }));
  const hard = (turns: number, share: number) =>
    trimBefore(conversation, {
      turns,
      step: tokens,
      tokensToSave: tokens,
      kept: 0,
      longest: Math.floor(share * room * BYTES_PER_TOKEN),
    });
  const shares = MAX_RESULT_SHARES.map((share) => hard(1, share));
  // The calls of the last turn go at the very end: one that writes a long file may fill the window by itself.
  for (const trims of [bare, shares, [hard(0, Math.min(...MAX_RESULT_SHARES))]]) {
    const found = trims.find(isBig) ?? trims.findLast(fits);
    if (found !== undefined) return found;
  }
  // The server says so when it does not fit; work that would must not end by a guess.
  if (isEstimate && tokens <= ESTIMATE_TOLERANCE * room) return null;
  const how = room < MIN_ROOM_SHARE * window ? LOWER_THE_REST : USE_ANOTHER;
  throw new AppError('model_context_full', {
    detail: `The conversation takes about ${Math.round(tokens)} tokens, but the model has room for ${Math.round(room)}, even with all tool results shortened. ${how}${advice}`,
  });
}

const MIN_ROOM_SHARE = 0.25; // of the window: with less, the settings are wrong rather than the issue too big
const LOWER_THE_REST =
  'The longest answer and thinking_tokens take most of the window: lower thinking_tokens in MODEL_SETTINGS.';
const USE_ANOTHER = 'Use a model with a larger context window, or make the issue smaller.';

/** Leaves out everything that can be left out; null when nothing is left. */
export function hardestTrim(conversation: Conversation): Trim | null {
  const trim = trimBefore(conversation, {
    turns: 1,
    step: Number.POSITIVE_INFINITY,
    tokensToSave: Number.POSITIVE_INFINITY,
    kept: 0,
  });
  return trim.saved > 0 ? trim : null;
}

interface Wanted {
  /** How many of the last turns stay as they are. */
  readonly turns: number;
  /** The tokens that are enough where nothing is lost that is still needed. */
  readonly step: number;
  /** Tokens. */
  readonly tokensToSave: number;
  /** The characters that stay of what is shortened. */
  readonly kept: number;
  /** The most characters of a result that stays. */
  readonly longest?: number;
}

/** Shortens all that is spent, and as many of the oldest results as it takes. */
function trimBefore({ transcript }: Conversation, { turns, step, tokensToSave, kept, longest }: Wanted): Trim {
  const end = startOfLastTurns(transcript, turns);
  const spent = resultCount(transcript.slice(0, end));
  const saving = (results: number): Trim => {
    const short = withShortResults(transcript, { results, spent, longest, kept });
    const saved = transcript.reduce((sum, { tokens }, index) => sum + tokens - (short[index]?.tokens ?? 0), 0);
    return { results, spent, longest, kept, saved };
  };
  let [none, all] = [saving(0), saving(spent)];
  if (none.saved >= step) return none;
  // The fewest results that save enough: each one more saves more.
  while (all.results - none.results > 1 && all.saved >= tokensToSave) {
    const half = saving(Math.floor((none.results + all.results) / 2));
    if (half.saved >= tokensToSave) all = half;
    else none = half;
  }
  return all;
}

function startOfLastTurns(transcript: readonly TranscriptMessage[], turns: number): number {
  if (turns === 0) return transcript.length;
  const answers = transcript.flatMap(({ kind }, index) => (kind === 'answer' ? [index] : []));
  return answers.at(-turns) ?? 0;
}
