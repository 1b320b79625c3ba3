import type { Issue } from '@sluice/core/issue';
import type { RemarkAnswer } from '@sluice/core/pipeline';
import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openReviewBench } from '../scripted-reviews/review-bench.ts';
import {
  type ExpectedAnswer,
  expectedOf,
  reviewsFrom,
  type ScriptedReview,
} from '../scripted-reviews/scripted-reviews.ts';

// Usual way: packages/worker/test/sync-remarks.test.ts

const SEED = 20_261_127;
const EACH = 4; // reviews of one pull request, so that later ones answer in the threads of earlier ones
const PULLS = isSoakRun ? 25 : 1;
const MAX_STEPS = 200; // steps of one sync; more would mean that it does not come to its end

type Bench = Awaited<ReturnType<typeof openReviewBench>>;

/** The ids at the host of what a review says, by the names of the script. */
interface Names {
  readonly lines: Map<string, number>;
  readonly bodies: Map<string, number>;
}

/** Kills the process before each step that is left, until one sync comes to its end. @returns how often it died */
async function syncWithKills(bench: Bench, number: number): Promise<number> {
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (await bench.sync(number, steps)) return steps;
  }
  throw new Error('The sync does not come to its end.');
}

async function play(bench: Bench, reviews: readonly ScriptedReview[]) {
  const { first, number } = await bench.publish();
  const names: Names = { lines: new Map(), bodies: new Map() };
  const ended = new Set<string>();
  let kills = 0;
  for (const [at, review] of reviews.entries()) {
    names.bodies.set(`body ${at}`, bench.submit(number, review, names.lines));
    kills += await syncWithKills(bench, number);
    const fresh = (await bench.followUpsOf(first)).filter(({ id }) => !ended.has(id));
    expect(fresh.length).toBeLessThanOrEqual(1);
    for (const line of review.lines)
      change(bench, { number, id: names.lines.get(line.name) ?? 0, line, by: review.author });
    for (const issue of fresh) {
      ended.add(issue.id);
      const answers = answersTo(bench, issue, { review, names, at });
      await bench.end(issue, review.end, { answers, number });
    }
    kills += await syncWithKills(bench, number);
  }
  return { number, names, kills };
}

function change(
  { there, name: repo }: Bench,
  { number, id, line, by }: { number: number; id: number; line: ScriptedReview['lines'][number]; by: string },
): void {
  if (line.then === 'edited') there.editLine({ repo, number, by }, { id, body: 'Something else.' });
  if (line.then === 'deleted') there.deleteLine({ repo, number, by }, id);
}

/** What the coder of the script says of the remarks of a follow-up. */
function answersTo(
  bench: Bench,
  issue: Issue,
  { review, names, at }: { review: ScriptedReview; names: Names; at: number },
): RemarkAnswer[] {
  const byId = new Map<string, RemarkAnswer['outcome'] | null>([
    [`review-${names.bodies.get(`body ${at}`)}`, review.bodyOutcome],
    ...review.lines.map(({ name, outcome }) => [`line-${names.lines.get(name)}`, outcome] as const),
  ]);
  return bench.remarksOf(issue).flatMap(({ id }) => {
    const outcome = byId.get(id) ?? null;
    return outcome === null ? [] : [{ id, outcome, answer: `About ${id}.` }];
  });
}

/** The texts of ours at the host, in the names of the script. */
function foundAt({ there, name: repo }: Bench, { number, names }: { number: number; names: Names }) {
  const nameOf = new Map<string, string>([
    ...[...names.lines].map(([name, id]) => [`line-${id}`, name] as const),
    ...[...names.bodies].map(([name, id]) => [`review-${id}`, name] as const),
  ]);
  const lines = there.lineComments(repo, number);
  const all = [...there.comments(repo, number).map((one) => ({ ...one, replyTo: null })), ...lines];
  const answers = all.flatMap(({ body, replyTo }): ExpectedAnswer[] => {
    const [, id] = /^<!-- sluice:issue\/\S+ remark\/(\S+) -->/.exec(body) ?? [];
    if (id === undefined) return [];
    const [begins] = /(?:Done in|Answered|Declined|Not done yet|Failed)/.exec(body) ?? [];
    const thread = replyTo === null ? null : (nameOf.get(`line-${replyTo}`) ?? null);
    return [{ name: nameOf.get(id) ?? id, thread, begins: begins as ExpectedAnswer['begins'] }];
  });
  const resolved = lines.filter(({ isResolved, replyTo }) => isResolved && replyTo === null);
  return { answers, resolved: new Set(resolved.map(({ id }) => nameOf.get(`line-${id}`) ?? '')) };
}

const sorted = (answers: readonly ExpectedAnswer[]) =>
  answers.map((one) => JSON.stringify(one, ['name', 'thread', 'begins'])).sort();

it(`answers each remark of ${PULLS * EACH} reviews once, and resolves what is done, after a kill at every step`, async () => {
  await using bench = await openReviewBench();
  let [kills, remarks] = [0, 0];
  for (const reviews of reviewsFrom(SEED, { pulls: PULLS, each: EACH })) {
    const played = await play(bench, reviews);
    const expected = expectedOf(reviews);
    const found = foundAt(bench, played);
    expect(sorted(found.answers)).toEqual(sorted(expected.answers));
    expect([...found.resolved].sort()).toEqual([...expected.resolved].sort());
    kills += played.kills;
    remarks += expected.answers.length;
  }
  expect(remarks).toBeGreaterThan(PULLS * EACH);
  expect(kills).toBeGreaterThan(remarks);
  if (isSoakRun) console.log(`${PULLS * EACH} reviews, ${remarks} remarks, ${kills} kills`);
});
