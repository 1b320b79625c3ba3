import type { AgentRole } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import { storableJson } from '@sluice/core/text';
import { shortenEnd } from '../tools/shorten.ts';
import { messageEvent } from './agent-events.ts';
import type { FileWrite } from './file-writes.ts';
import { type PastTurn, pastTurns } from './past-turns.ts';
import type { RoleExecution } from './role-execution.ts';
import { type Repeats, type Standstill, standstill } from './standstill.ts';
import type { TranscriptMessage } from './transcript.ts';

/** A way in which an agent goes round in circles. */
export interface LoopPattern {
  /** The pattern in words for people, e.g. `the last 6 turns brought nothing new`. */
  readonly words: string;
  /** The words to the agent about it, without a word of the repository. */
  readonly advice: string;
  /** The agent was told, and goes on. */
  readonly isStuck: boolean;
}

const SHOWN_CHARACTERS = 300;
const RETURNS_WITHIN = 12; // turns: to undo a change and redo it once or twice is how a test is checked

const SAME_FAILURES = 6; // test runs
const OUTSIDE_WRITES = 8; // turns

interface Measure {
  /** From how many on the agent is told, and from how many on it is stopped. */
  readonly tellAt: number;
  readonly stopAt: number;
  /** The turns that the agent has at least after it was told; one by default. */
  readonly turnsLeft?: number;
  /** The words to the agent; by default that its calls repeat what it has done, or change nothing. */
  readonly advice?: string;
  measure(turns: readonly PastTurn[], still: Standstill): Count;
  words(count: number, latest: Pick<PastTurn, 'calls' | 'failure'>): string;
}

interface Count {
  /** How many turns count now. */
  readonly count: number;
  /** How many turns ago the first of them was. */
  readonly span: number;
  /** The latest of them, where that is not the last turn. */
  readonly latest?: Pick<PastTurn, 'calls' | 'failure'>;
}

const measures: readonly Measure[] = [
  {
    tellAt: 3, // the same call twice is normal, e.g. to check whether something has settled
    stopAt: 5,
    measure: (turns) => streak(turns, ({ signature }, next) => next === undefined || signature === next.signature),
    words: (count, last) =>
      last.calls.length === 1
        ? `it made the same call ${count} times with the same result: ${callsOf(last)}`
        : `it made the same calls ${count} times with the same results: ${callsOf(last)}`,
  },
  {
    tellAt: 5,
    stopAt: 9, // eight configuration files that a repository may have are looked for by a command each
    measure: (turns) =>
      streak(turns, ({ failure }, next) => failure !== null && failure === (next?.failure ?? failure)),
    words: (count, last) =>
      `its last ${count} turns failed with the same error: ${shortenEnd(last.failure ?? '', SHOWN_CHARACTERS).replace(/\.+$/, '')}`,
  },
  {
    tellAt: 3,
    stopAt: 6,
    measure: (turns) => streak(turns, ({ isNew }) => !isNew),
    words: (count, last) => `its last ${count} turns brought nothing new, the latest: ${callsOf(last)}`,
  },
  {
    tellAt: 6,
    stopAt: 10, // old names, of which a rename must have left none, are looked for one by one
    measure: (turns) => streak(turns, ({ isFind }) => !isFind),
    words: (count, last) => `its last ${count} turns found nothing, or nothing new, the latest: ${callsOf(last)}`,
  },
  {
    tellAt: 4,
    stopAt: 8,
    measure: rewriteStreak,
    words: (count, last) => `it wrote the same lines ${count} times over, the latest: ${callsOf(last)}`,
  },
  {
    tellAt: 3,
    stopAt: 5,
    measure: (turns) => {
      const returns = turns.slice(-RETURNS_WITHIN).filter(({ isReturn }) => isReturn);
      return { count: returns.length, span: RETURNS_WITHIN };
    },
    words: (count) => `it changed the files back to an earlier state ${count} times`,
  },
  {
    tellAt: SAME_FAILURES,
    stopAt: SAME_FAILURES + 1,
    turnsLeft: 2, // an edit and a test of it
    measure: (_turns, { sameFailures, answers }) => repeated(sameFailures, { tellAt: SAME_FAILURES, answers }),
    advice:
      'your test runs fail in the same way each time, whatever you change. Read what you have not seen yet, and find the cause before you edit again; or end and say what stands in the way.',
    words: (count, latest) =>
      `${count} test runs failed in the same way, with no progress between them, the latest: ${callsOf(latest)}`,
  },
  {
    tellAt: OUTSIDE_WRITES,
    stopAt: OUTSIDE_WRITES + 1,
    turnsLeft: 2,
    measure: (_turns, { outsideWrites, answers }) => repeated(outsideWrites, { tellAt: OUTSIDE_WRITES, answers }),
    advice:
      'you write files outside the plan, and no step of the plan gets on. Go on with the plan; or end and say what stands in the way.',
    words: (count, latest) =>
      `${count} turns wrote files outside the plan, with no progress between them, the latest: ${callsOf(latest)}`,
  },
];

/**
 * Finds how an agent goes round in circles: the same turn again, the same error with any input, turns that bring nothing
 * new (cycles of any length, the same file by other ranges), looks that find nothing, the same lines written over and over,
 * edits that undo each other; and work without progress, as `standstill` counts it. Everything is read from the
 * conversation, so a restart changes nothing.
 *
 * @param plannedFiles of the plan that the agent carries out; null: there is none
 * @returns null while there is nothing to tell, or the agent was told and has not gone on for long
 */
export function loopPattern(
  transcript: readonly TranscriptMessage[],
  plannedFiles: readonly string[] | null,
): LoopPattern | null {
  const turns = pastTurns(transcript);
  const last = turns.at(-1);
  if (last === undefined) return null;
  const still = standstill(transcript, plannedFiles);
  const toldAgo = turnsSinceTold(transcript);
  const patterns = measures
    .map((pattern) => ({ ...pattern, ...pattern.measure(turns, still) }))
    .filter(({ count, tellAt }) => count >= tellAt);
  const wasTold = patterns.some(({ span }) => toldAgo < span);
  const stuck = wasTold
    ? patterns.find(({ count, stopAt, turnsLeft = 1 }) => count >= stopAt && toldAgo >= turnsLeft)
    : undefined;
  const found = stuck ?? (wasTold ? undefined : patterns[0]);
  if (found === undefined) return null;
  const { words, count, latest = last, advice = REPEATS } = found;
  return { words: words(count, latest), advice, isStuck: stuck !== undefined };
}

/** How many of the latest turns belong together; `belongs` gets a turn and the one after it. */
function streak(turns: readonly PastTurn[], belongs: (turn: PastTurn, next: PastTurn | undefined) => boolean) {
  let count = 0;
  for (let at = turns.length - 1; at >= 0; at -= 1) {
    const turn = turns[at];
    if (turn === undefined || !belongs(turn, turns[at + 1])) break;
    count += 1;
  }
  return { count, span: count };
}

/**
 * How many of the latest turns that write have only written other text where the one before had. Turns between them that
 * show nothing which had not been shown, such as the same test with the same failure, do not count and do not matter.
 */
function rewriteStreak(turns: readonly PastTurn[]): Count {
  let [count, span] = [0, 0];
  let later: PastTurn | undefined;
  let latest: PastTurn | undefined;
  for (const [ago, turn] of turns.toReversed().entries()) {
    if (turn.writes.length > 0) {
      if (later !== undefined && !later.writes.every((write) => turn.writes.some((one) => rewrites(write, one)))) break;
      [count, span, later, latest] = [count + 1, ago + 1, turn, latest ?? turn];
    }
    if (turn.showsMore) break;
  }
  return { count, span, ...(latest !== undefined && { latest }) };
}

/** Whether a write only put other text where an earlier one had. A file that only grows is none of that. */
function rewrites({ path, removed, added }: FileWrite, earlier: FileWrite): boolean {
  if (path !== earlier.path) return false;
  if (removed === null || earlier.removed === null)
    return removed === earlier.removed && !added.includes(earlier.added);
  return removed !== '' && earlier.added.includes(removed) && !added.includes(removed);
}

/**
 * The count of what was repeated without progress; its span begins where the agent gets its warning. In a turn that does
 * not repeat it, it is no higher than that.
 */
function repeated({ at, calls }: Repeats, by: { readonly tellAt: number; readonly answers: number }): Count {
  const toldFrom = at[by.tellAt - 1];
  const isNow = at.at(-1) === by.answers - 1;
  return {
    count: isNow ? at.length : Math.min(at.length, by.tellAt),
    span: toldFrom === undefined ? 0 : by.answers - toldFrom,
    latest: { calls, failure: null },
  };
}

function turnsSinceTold(transcript: readonly TranscriptMessage[]): number {
  const warnedAt = transcript.findLastIndex(({ about }) => about === 'loop');
  if (warnedAt === -1) return Number.POSITIVE_INFINITY;
  return transcript.slice(warnedAt).filter(({ kind }) => kind === 'answer').length;
}

function callsOf({ calls }: Pick<PastTurn, 'calls'>): string {
  const shown = calls.map(({ call }) => `${call.toolName} ${JSON.stringify(call.input)}`);
  return shortenEnd(shown.join('; '), SHOWN_CHARACTERS);
}

const REPEATS =
  'your latest calls repeat what you have already done, or change nothing. It will not change by itself. Do something else, or end and say what stands in the way.';

/**
 * Tells an agent once that it goes round in circles, in a message that is recorded, and stops it when it goes on.
 *
 * @throws AppError `agent_stuck` with the pattern in words
 */
export async function keepOutOfLoops<Role extends AgentRole>({ setup, record }: RoleExecution<Role>): Promise<void> {
  const { role, scope } = setup.definition;
  const pattern = loopPattern(record.now().transcript, scope?.(setup.input) ?? null);
  if (pattern === null) return;
  if (pattern.isStuck)
    throw new AppError('agent_stuck', {
      detail: `The ${role} was told that it goes round in circles, and went on: ${pattern.words}. Make the issue or the plan more precise, or use another model.`,
    });
  // Without the pattern: an error in it may be text of the repository, which must not stand outside a tool's result.
  const content = `You are going round in circles: ${pattern.advice}`;
  const message = storableJson({ role: 'user', content });
  await record.write({
    entries: [{ kind: 'told', about: 'loop', message }],
    events: [messageEvent('service', `The ${role} was told that it goes round in circles: ${pattern.words}.`)],
  });
}
