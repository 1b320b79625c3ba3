import { randomFrom } from '@sluice/testing';

/** The authors of remarks: a person who may, a bot that the repository allows, and two who may not. */
const authors = ['ben', 'lint[bot]', 'stranger', 'other[bot]'] as const;
type Author = (typeof authors)[number];

const states = ['COMMENTED', 'CHANGES_REQUESTED', 'APPROVED'] as const;
const outcomes = ['done', 'declined', 'question', null] as const;
const ends = ['published', 'published', 'published', 'retried', 'answered', 'failed', 'cancelled'] as const;

/** A comment on a line of a scripted review. */
interface ScriptedLine {
  /** Names the comment among all. */
  readonly name: string;
  /** Null: outdated. */
  readonly line: number | null;
  readonly hunk: string;
  readonly body: string;
  /** The first comment of the thread that it answers; null: it begins one. */
  readonly replyTo: string | null;
  /** What happens to it before it is answered. */
  readonly then: 'nothing' | 'edited' | 'deleted';
  /** What the coder says of it; null: nothing. */
  readonly outcome: (typeof outcomes)[number];
}

/** One submitted review, and how the work on it ends. */
export interface ScriptedReview {
  readonly author: Author;
  readonly state: (typeof states)[number];
  readonly body: string;
  readonly bodyOutcome: (typeof outcomes)[number];
  readonly lines: readonly ScriptedLine[];
  readonly end: (typeof ends)[number];
}

/** The reviews of some pull requests, the same for the same seed. */
export function reviewsFrom(seed: number, { pulls, each }: { pulls: number; each: number }): ScriptedReview[][] {
  const random = randomFrom(seed);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const chance = (share: number) => random() < share;
  return Array.from({ length: pulls }, (_, pull) => {
    const threads: string[] = [];
    return Array.from({ length: each }, (_, review): ScriptedReview => {
      const author = chance(0.6) ? 'ben' : one(authors);
      const earlier = [...threads];
      const lines = Array.from({ length: Math.floor(random() * 5) }, (_, at): ScriptedLine => {
        const name = `${pull}.${review}.${at}`;
        const replyTo = earlier.length > 0 && chance(0.35) ? one(earlier) : null;
        const then = chance(0.15) ? 'edited' : chance(0.12) ? 'deleted' : 'nothing';
        if (replyTo === null && then !== 'deleted') threads.push(name);
        return {
          ...{ name, replyTo, then },
          line: chance(0.2) ? null : 1 + Math.floor(random() * 9),
          hunk: chance(0.3) ? '@@ -1,2 +1,3 @@\n+a\n+b\n+c' : '@@ -1 +1 @@\n+a',
          body: chance(0.1) ? '👍' : `Change ${name}.`,
          outcome: one(outcomes),
        };
      });
      const body = chance(0.5) ? `About ${pull}.${review}.` : '';
      return { author, state: one(states), body, bodyOutcome: one(outcomes), lines, end: one(ends) };
    });
  });
}

export interface ExpectedAnswer {
  readonly name: string;
  /** The name of the thread in which it is; null: in the conversation. */
  readonly thread: string | null;
  readonly begins: 'Done in' | 'Answered' | 'Declined' | 'Not done yet' | 'Failed';
}

/**
 * The expected state at the host in the end, by the rules in docs/codehost.md and nothing of the code: one answer for
 * each remark, and the resolved threads.
 */
export function expectedOf(reviews: readonly ScriptedReview[]): { answers: ExpectedAnswer[]; resolved: Set<string> } {
  const answers: ExpectedAnswer[] = [];
  const resolved = new Set<string>();
  /** By thread, whether each remark in it was carried out. */
  const carriedOut = new Map<string, boolean[]>();
  const gone = new Set(
    reviews.flatMap(({ lines }) => lines.filter(({ then }) => then === 'deleted')).map(({ name }) => name),
  );
  reviews.forEach(({ author, body, bodyOutcome, lines, end }, at) => {
    if (author !== 'ben' && author !== 'lint[bot]') return;
    const remarks = [
      ...(body === '' ? [] : [{ name: `body ${at}`, thread: null, outcome: bodyOutcome }]),
      ...lines
        .filter((line) => line.body !== '👍' && (author === 'ben' || line.replyTo === null))
        .map(({ name, replyTo, outcome }) => ({ name, thread: replyTo ?? name, outcome })),
    ];
    for (const { thread, outcome } of remarks) {
      if (thread === null) continue;
      const isDone = outcome === 'done' && (end === 'published' || end === 'retried');
      carriedOut.set(thread, [...(carriedOut.get(thread) ?? []), isDone]);
    }
    for (const { name, thread, outcome } of remarks) {
      const begins = beginningOf(end, outcome);
      // The place of a comment that was deleted is not found any more.
      answers.push({ name, thread: gone.has(name) ? null : thread, begins });
      if (thread !== null && !gone.has(name) && begins === 'Done in' && carriedOut.get(thread)?.every(Boolean)) {
        resolved.add(thread);
      }
    }
  });
  return { answers, resolved };
}

function beginningOf(end: ScriptedReview['end'], outcome: ScriptedLine['outcome']): ExpectedAnswer['begins'] {
  if (end === 'failed') return 'Failed';
  if (end === 'cancelled' || outcome === 'declined') return 'Declined';
  if (outcome !== 'done') return 'Not done yet';
  return end === 'answered' ? 'Answered' : 'Done in';
}
