import type { AgentRole } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import { storableJson } from '@sluice/core/text';
import { shortenEnd } from '../tools/shorten.ts';
import { messageEvent } from './agent-events.ts';
import type { FileWrite } from './file-writes.ts';
import { type PastTurn, pastTurns } from './past-turns.ts';
import type { RoleExecution } from './role-execution.ts';
import type { TranscriptMessage } from './transcript.ts';

/** A way in which an agent goes round in circles. */
export interface LoopPattern {
  /** The pattern in words for people, e.g. `the last 6 turns brought nothing new`. */
  readonly words: string;
  /** The agent was told, and goes on. */
  readonly isStuck: boolean;
}

const SHOWN_CHARACTERS = 300;
const RETURNS_WITHIN = 12; // turns: to undo a change and redo it once or twice is how a test is checked

interface Measure {
  /** From how many on the agent is told, and from how many on it is stopped. */
  readonly tellAt: number;
  readonly stopAt: number;
  measure(turns: readonly PastTurn[]): Count;
  words(count: number, latest: PastTurn): string;
}

interface Count {
  /** How many turns count now. */
  readonly count: number;
  /** How many turns ago the first of them was. */
  readonly span: number;
  /** The latest of them, where that is not the last turn. */
  readonly latest?: PastTurn;
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
];

/**
 * Finds how an agent goes round in circles: the same turn again, the same error with any input, turns that bring nothing
 * new (cycles of any length, the same file by other ranges), looks that find nothing, the same lines written over and over,
 * and edits that undo each other. Everything is read from the conversation, so a restart changes nothing.
 *
 * @returns null while there is nothing to tell, or the agent was told and has not gone on for long
 */
export function loopPattern(transcript: readonly TranscriptMessage[]): LoopPattern | null {
  const turns = pastTurns(transcript);
  const last = turns.at(-1);
  if (last === undefined) return null;
  const patterns = measures
    .map((pattern) => ({ ...pattern, ...pattern.measure(turns) }))
    .filter(({ count, tellAt }) => count >= tellAt);
  const toldAgo = turnsSinceTold(transcript);
  const wasTold = patterns.some(({ span }) => toldAgo < span);
  const found = wasTold ? patterns.find(({ count, stopAt }) => count >= stopAt) : patterns[0];
  if (found === undefined) return null;
  return { words: found.words(found.count, found.latest ?? last), isStuck: wasTold };
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

function turnsSinceTold(transcript: readonly TranscriptMessage[]): number {
  const warnedAt = transcript.findLastIndex(({ about }) => about === 'loop');
  if (warnedAt === -1) return Number.POSITIVE_INFINITY;
  return transcript.slice(warnedAt).filter(({ kind }) => kind === 'answer').length;
}

function callsOf({ calls }: PastTurn): string {
  const shown = calls.map(({ call }) => `${call.toolName} ${JSON.stringify(call.input)}`);
  return shortenEnd(shown.join('; '), SHOWN_CHARACTERS);
}

// Without the pattern: an error in it may be text of the repository, which must not stand outside a tool's result.
const GOING_ROUND =
  'You are going round in circles: your latest calls repeat what you have already done, or change nothing. It will not change by itself. Do something else, or end and say what stands in the way.';

/**
 * Tells an agent once that it goes round in circles, in a message that is recorded, and stops it when it goes on.
 *
 * @throws AppError `agent_stuck` with the pattern in words
 */
export async function keepOutOfLoops<Role extends AgentRole>({ setup, record }: RoleExecution<Role>): Promise<void> {
  const pattern = loopPattern(record.now().transcript);
  if (pattern === null) return;
  const { role } = setup.definition;
  if (pattern.isStuck)
    throw new AppError('agent_stuck', {
      detail: `The ${role} was told that it goes round in circles, and went on: ${pattern.words}. Make the issue or the plan more precise, or use another model.`,
    });
  const message = storableJson({ role: 'user', content: GOING_ROUND });
  await record.write({
    entries: [{ kind: 'told', about: 'loop', message }],
    events: [messageEvent('service', `The ${role} was told that it goes round in circles: ${pattern.words}.`)],
  });
}
