import type { Issue } from '@sluice/core/issue';
import { isSoakRun, newId, randomFrom } from '@sluice/testing';
import { expect, it } from 'vitest';
import { type Edit, type HistoryRepo, makeHistoryRepo } from '../base-histories/history-repo.ts';
import { type HistoryChange, type HistoryWorld, openHistoryWorld } from '../base-histories/history-world.ts';
import { scratchFolder } from '../scratch-server.ts';

/*
 * Generated histories of a pull request: its base moves, people push to its branch, also while it is merged, and Sluice merges
 * the base. What must be true of the result is computed here from git and from what people did, and from nothing that Sluice
 * has computed.
 */

const HISTORIES = isSoakRun ? 300 : 8;
const AT_ONCE = 4;
const BRANCH = 'sluice/7-sum';
const PATHS = ['a', 'b', 'c', 'd'] as const;
/** The files of the approved plan. */
const PLANNED: readonly string[] = ['a', 'b'];
const LINES = [1, 9]; // apart, so that git merges them by itself

interface History {
  readonly seed: number;
  readonly random: () => number;
  readonly repo: HistoryRepo;
  readonly change: HistoryChange;
  readonly first: Issue;
  readonly merges: boolean;
  /** The commits of people that must be in the branch at the end. */
  readonly kept: Set<string>;
  /** The commit with which the branch ended when a person pushed to it last. */
  lastOwn: string | null;
  edits: number;
}

const pick = <T>({ random }: Pick<History, 'random'>, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

function someEdit(history: History, who: string): Edit[] {
  history.edits += 1;
  const text = `${who} ${history.edits}`;
  const kind = history.random();
  if (kind < 0.12) return [{ path: `${who}-${history.edits}`, line: null, text: `${text}\n` }];
  if (kind < 0.2 && who === 'base') return [{ path: 'd', line: null, text: null }];
  if (kind < 0.3 && who === 'base') return [{ path: 'flag', line: null, text: pick(history, ['on\n', 'off\n']) }];
  return [{ path: pick(history, PATHS), line: pick(history, LINES), text }];
}

async function personPushes(history: History): Promise<void> {
  const { repo, kept } = history;
  const roll = history.random();
  if (roll < 0.15) {
    const merged = await repo.mergeMain(BRANCH);
    if (merged !== null) kept.add(merged);
    history.lastOwn = merged ?? history.lastOwn;
    return;
  }
  const own = history.lastOwn;
  if (roll < 0.3 && own !== null) {
    const amended = await repo.amend(BRANCH, own, someEdit(history, 'person'));
    if (amended === null) return;
    kept.delete(own);
    kept.add(amended);
    history.lastOwn = amended;
    return;
  }
  history.lastOwn = await repo.commit(BRANCH, someEdit(history, 'person'));
  kept.add(history.lastOwn);
}

async function play(world: HistoryWorld, history: History): Promise<void> {
  const { random, repo, change, first } = history;
  const settle = () => world.settle(change, first, () => (random() < 0.5 ? 'approve' : 'reject'));
  const steps = isSoakRun ? 3 + Math.floor(random() * 5) : 4;
  for (let step = 0; step < steps; step += 1) {
    const roll = random();
    if (roll < 0.45) await repo.commit('main', someEdit(history, 'base'));
    else if (roll < 0.7) await personPushes(history);
    else {
      // Sometimes a person pushes while the merge is tested.
      if (random() < 0.7) world.races.set(first.id, () => personPushes(history));
      await settle();
      world.races.delete(first.id);
    }
  }
  if (random() < 0.3) world.races.set(first.id, () => personPushes(history));
  await settle();
}

const textOf = (repo: HistoryRepo, commit: string, path: string) =>
  repo.git('show', `${commit}:${path}`).then(
    (text) => text.split('\n'),
    (): string[] => [],
  );

/** Checks the pushes of Sluice: forward only, onto the current tip, tested, with both sides and without a conflict. */
async function judgePushes(world: HistoryWorld, { repo }: History): Promise<number> {
  const [, , ...updates] = await repo.updates(BRANCH); // after the first change
  let pushes = 0;
  for (const { from, to } of updates) {
    if ((await repo.git('show', '-s', '--format=%ae', to)) !== 'sluice@example.com') continue;
    pushes += 1;
    const [ours = '', theirs = '', ...others] = (await repo.git('show', '-s', '--format=%P', to)).split(' ');
    expect([ours, others], 'a push goes forward from what was there').toEqual([from, []]);
    expect(await repo.contains('main', theirs), 'it merges a commit of the base').toBe(true);
    expect(world.tested.has(await repo.filesOf(to)), 'the tests ran on the merged files').toBe(true);
    const parted = await repo.git('merge-base', ours, theirs);
    for (const path of PATHS) {
      const before = await textOf(repo, parted, path);
      const merged = await textOf(repo, to, path);
      expect(merged.filter((line) => /^(<{7}|>{7}|={7})/.test(line))).toEqual([]);
      for (const side of [ours, theirs]) {
        const added = (await textOf(repo, side, path)).filter((line) => !before.includes(line));
        expect(merged, `both sides are in ${path}`).toEqual(expect.arrayContaining(added));
      }
    }
  }
  return pushes;
}

/** Whether the base has moved in a way that concerns the branch. */
async function isConcerned({ repo }: History): Promise<boolean> {
  if (await repo.contains(BRANCH, 'main')) return false;
  const parted = await repo.git('merge-base', BRANCH, 'main');
  const changed = async (to: string) => (await repo.git('diff', '--name-only', '--no-renames', parted, to)).split('\n');
  const onBranch = new Set([...(await changed(BRANCH)), ...PLANNED]);
  const both = (await changed('main')).some((path) => path !== '' && onBranch.has(path));
  const merged = await repo.git('merge-tree', '--write-tree', BRANCH, 'main').then(
    () => true,
    () => false,
  );
  return both || !merged;
}

/** What happened in histories: each of these must, or they prove little. */
interface Tally {
  merged: number;
  conflicts: number;
  rejected: number;
  /** A person pushed while the merge was tested. */
  overtaken: number;
  kept: number;
}

async function judge(world: HistoryWorld, history: History, tally: Tally): Promise<void> {
  const { repo, first, kept, merges } = history;
  const followUps = await world.followUps(first);
  for (const commit of kept) expect(await repo.contains(BRANCH, commit), `${commit} of a person is kept`).toBe(true);
  const pushes = await judgePushes(world, history);
  const published = followUps.filter(({ result }) => result !== null && result.branch !== null);
  expect(published).toHaveLength(pushes);
  for (const { pipeline, plan } of published) {
    const isWithin = plan?.steps.every(({ files }) => files.every((path) => PLANNED.includes(path)));
    expect(pipeline.approved?.inherited_from, 'an approval counts within its files alone').toBe(
      isWithin ? first.id : undefined,
    );
  }
  const tip = await repo.tip(BRANCH);
  if (!merges) expect(followUps).toEqual([]);
  if (await isConcerned(history)) {
    const events = await world.issues.events(first.id, { after: 0, limit: 1_000 });
    const told = events.findLast(({ type }) => type === 'base.moved');
    expect(told?.data).toMatchObject({ base_commit: await repo.tip('main') });
    const tried = followUps.filter(
      ({ pipeline: { follow_up } }) => follow_up?.kind === 'base' && follow_up.head_commit === tip,
    );
    if (merges) expect(tried.map(({ status, error }) => error ?? status)).toEqual(['rejected']);
  }
  tally.merged += pushes;
  tally.kept += kept.size;
  tally.conflicts += published.filter(({ pipeline }) => (pipeline.implementation?.made_by ?? []).length > 0).length;
  for (const { status, error } of followUps) {
    if (status === 'rejected') tally.rejected += 1;
    if (error === null) continue;
    expect(error, 'nothing else fails').toMatchObject({
      stage: 'publish',
      detail: expect.stringContaining('has changed'),
    });
    tally.overtaken += 1;
  }
}

it(`keeps the commits of people and tests each merged head in ${HISTORIES} histories of a base that moves`, async () => {
  const folder = scratchFolder();
  await using world = await openHistoryWorld(folder);
  const histories: History[] = [];
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = randomFrom(seed);
    const repo = await makeHistoryRepo(`${folder}/remotes`, `sum-${seed}`);
    const files = Object.fromEntries(PATHS.map((path) => [path, text(path)]));
    await repo.begin(BRANCH, { ...files, flag: 'on\n' }, [{ path: 'a', line: 5, text: 'first' }]);
    const change = { repo, codehostRepoId: newId(), number: seed, branch: BRANCH };
    const merges = seed % 10 !== 0;
    const first = await world.published(change, { files: [...PLANNED], followBase: merges ? 'merge' : 'watch' });
    histories.push({ seed, random, repo, change, first, merges, kept: new Set(), lastOwn: null, edits: 0 });
  }
  await world.start();
  const tally: Tally = { merged: 0, conflicts: 0, rejected: 0, overtaken: 0, kept: 0 };
  const left = [...histories];
  const playOn = async (): Promise<void> => {
    for (let history = left.shift(); history !== undefined; history = left.shift()) {
      const { seed } = history;
      await play(world, history);
      await judge(world, history, tally).catch((error: unknown) => {
        throw new Error(`history ${seed}`, { cause: error });
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playOn));
  if (isSoakRun) console.log(`base histories: ${HISTORIES}`, tally);
  const seldom = isSoakRun ? [] : ['rejected', 'overtaken'];
  expect(Object.entries(tally).filter(([what, count]) => count === 0 && !seldom.includes(what))).toEqual([]);
});

function text(name: string): string {
  return `${Array.from({ length: 9 }, (_, line) => `${name} ${line + 1}`).join('\n')}\n`;
}
