import type { ChangeRequest } from '@sluice/core/code-host';
import { type Issue, isTerminal } from '@sluice/core/issue';
import { splitUntrusted } from '@sluice/core/text';
import { aNewIssue } from '@sluice/testing';
import type { SyncContext } from '../../src/sync/sync-context.ts';
import { syncSubject } from '../../src/sync/sync-subject.ts';
import { type HistoryBench, HOSTED } from './history-bench.ts';
import { createRandom, type PlannedHead, type PlannedHistory, type Random } from './plan-history.ts';
import { type BuildActs, buildActs } from './play-builds.ts';

interface Play {
  readonly bench: HistoryBench;
  readonly history: PlannedHistory;
  readonly random: Random;
  readonly base: { readonly branch: string; readonly commit: string };
  readonly branch: string;
  readonly first: Issue;
  readonly change: ChangeRequest;
  /** Follow-ups that there must be. */
  rounds: number;
  /** The violations so far. */
  readonly wrong: unknown[];
}

/** Lets a history happen at the host while the sync looks on. @returns what was not as it must be */
export async function playHistory(bench: HistoryBench, history: PlannedHistory, bigBytes: number): Promise<unknown[]> {
  const play = await begin(bench, history);
  const { branch, base, random } = play;
  let commit = play.change.headCommit;
  let isToDie = history.dies;
  for (const [index, head] of history.heads.entries()) {
    const acts = buildActs({ bench, history, head, commit, branch, base, bigBytes, random });
    await watch(play, acts.before);
    if (head.situation === 'flake') await flake(play, acts);
    else if (head.unit !== null) acts.end(head.unit);
    if (isToDie && head.fixes.length > 0) {
      await die(play);
      isToDie = false;
    }
    await sync(play);
    const fix = await judge(play, { head, commit, index });
    if (head.next === 'fix_ends' && fix !== null) {
      await bench.world.end(fix.id);
      await sync(play);
      await judge(play, { head: { ...head, fixes: [] }, commit, index });
    }
    if (head.next !== 'fix_pushes' && head.next !== 'person_pushes') break;
    commit = await bench.push(branch, branch, `${history.seed} ${index + 1}`);
    const { number } = play.change;
    if (head.next === 'fix_pushes' && fix !== null) await bench.world.push(fix, { number, commit });
    else if (fix !== null) {
      await sync(play); // while the follow-up is still at work
      await bench.world.end(fix.id);
    }
    if (head.situation === 'superseded') {
      acts.end('failure'); // of the head before
      await sync(play);
    }
  }
  await judgeEnd(play);
  return play.wrong;
}

async function begin(bench: HistoryBench, history: PlannedHistory): Promise<Play> {
  const { there, world, work, repo } = bench;
  const { seed, isDraft, requires, unitName } = history;
  const base = { branch: `base-${seed}`, commit: await bench.push(`base-${seed}`, 'main', `base ${seed}`) };
  const branch = `sluice/${seed}`;
  const headCommit = await bench.push(branch, base.branch, `${seed} 0`);
  for (const context of requires === 'nothing' ? [] : [unitName, 'lint']) {
    there.builders.require(HOSTED, { branch: base.branch, context, by: requires === 'rules' ? 'rules' : 'protection' });
  }
  const draft = {
    title: `Change ${seed}`,
    body: 'A change.',
    headBranch: branch,
    baseBranch: base.branch,
    draft: isDraft,
  };
  const made = await work.tokens.callAsUser(repo.userId, new AbortController().signal, (call) =>
    work.host.openChangeRequest(call, HOSTED, draft),
  );
  const change = { ...made, headCommit };
  const first = await world.publish(repo, isDraft ? 'draft' : 'open', change);
  return { bench, history, random: createRandom(seed + 1_000_003), base, branch, first, change, rounds: 0, wrong: [] };
}

/** The acts, with a look at some of them. */
async function watch(play: Play, acts: readonly (() => void)[]): Promise<void> {
  for (const act of acts) {
    act();
    if (play.random.chance(0.1)) await syncWith(play, play.bench.work);
  }
}

async function syncWith({ bench, change }: Play, work: SyncContext) {
  const subject = { codehostRepoId: bench.codehostRepoId, kind: 'change_request', number: change.number } as const;
  return await syncSubject(work, subject, new AbortController().signal);
}

/** Late and twice: as of two processes at the same time, or one after the other. */
async function sync(play: Play): Promise<void> {
  const once = async () => {
    const end = await syncWith(play, play.bench.work);
    if (end.kind === 'failed')
      play.wrong.push({ seed: play.history.seed, failed: String(end.error.cause ?? end.error) });
  };
  await once();
  if (play.random.chance(0.3)) await Promise.all([once(), once()]);
}

/** Dies after it has read the verdict and the logs. */
async function die(play: Play): Promise<void> {
  const { work } = play.bench;
  const killed = () => Promise.reject(new Error('killed'));
  const end = await syncWith(play, {
    ...work,
    deps: { ...work.deps, issues: { ...work.deps.issues, create: killed } },
  });
  if (end.kind !== 'failed') play.wrong.push({ seed: play.history.seed, notKilled: end });
}

/** Fails while another issue has the repository, and passes before that one ends. */
async function flake(play: Play, acts: BuildActs): Promise<void> {
  const { world, repo } = play.bench;
  const other = await world.issues.create(aNewIssue({ userId: repo.userId, repoId: repo.id }), { queue: true });
  if (other.kind !== 'applied') throw new Error(`nothing has the repository: ${other.kind}`);
  acts.end('failure');
  await sync(play);
  acts.again();
  if (play.random.chance(0.5)) await sync(play);
  acts.end('success');
  await world.end(other.issue.id);
}

async function judge(
  play: Play,
  { head, commit, index }: { head: PlannedHead; commit: string; index: number },
): Promise<Issue | null> {
  const { bench, history, first, change, wrong } = play;
  const { seed, unitName } = history;
  const at = { seed, index, situation: head.situation, by: head.by };
  const expect = (what: string, found: unknown, expected: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push({ ...at, what, found, expected });
  };
  play.rounds += head.fixes.length > 0 ? 1 : 0;
  const build = (await bench.world.outcomes.get({ repoId: bench.repo.id, number: change.number }))?.build ?? null;
  expect('verdict', [build?.commit, build?.verdict], [commit, head.verdict]);
  expect('given up', build?.given_up === true, head.givesUp);
  const atBase = [...(head.failsAtBase.unit ? [unitName] : []), ...(head.failsAtBase.lint ? ['lint'] : [])];
  expect('at the base', build?.also_failing_at_base ?? [], atBase);
  const followUps = await bench.world.codehostIndex.followUpsOf(first.id);
  expect('follow-ups', followUps.length, play.rounds);
  const fix = followUps.at(-1) ?? null;
  if (head.fixes.length === 0) return null;
  const cause = fix?.pipeline.follow_up;
  const names = head.fixes.map((name) => (name === 'unit' ? unitName : name));
  expect('cause', cause, { kind: 'build', head_commit: commit, round: play.rounds, jobs: names });
  expect('at work', fix !== null && !isTerminal(fix.status), true);
  const { trusted, untrusted } = splitUntrusted(`${fix?.title}\n${fix?.body}`);
  expect('orders in our own words', /canary|SYSTEM|ignore your/i.test(trusted), false);
  expect(
    'quoted',
    (untrusted ?? '').split('\n').every((line) => line === '' || line.startsWith('>')),
    true,
  );
  expect('told', untrusted?.includes(`: the end of ${unitName}`), history.kinds.unit === 'job');
  expect('bounded', (fix?.body.length ?? 0) < 32 * 1_024, true);
  return fix !== null && isTerminal(fix.status) ? null : fix;
}

async function judgeEnd(play: Play): Promise<void> {
  const { bench, history, first, change, base, wrong } = play;
  const { world, there } = bench;
  const seen = (await there.pulls(HOSTED)).find(({ number }) => number === change.number);
  const wasGreen = history.heads.some(({ verdict }) => verdict === 'success');
  if (seen?.draft !== (history.isDraft && !wasGreen)) wrong.push({ seed: history.seed, draft: seen?.draft });
  const baseNow = (await there.git(HOSTED, 'rev-parse', base.branch)).trim();
  if (baseNow !== base.commit) wrong.push({ seed: history.seed, base: baseNow });
  const events = await world.issues.events(first.id, { after: 0, limit: 1_000 });
  const told = events.flatMap(({ type, data }) => (type === 'build.updated' ? [JSON.stringify(data)] : []));
  if (told.some((one, index) => one === told[index - 1])) wrong.push({ seed: history.seed, toldTwice: told });
  const comments = there.comments(HOSTED, change.number);
  const speaks = history.heads.some(
    ({ givesUp, givesUpMeanwhile, failsAtBase }) => givesUp || givesUpMeanwhile || failsAtBase.unit || failsAtBase.lint,
  );
  if (comments.length !== (speaks ? 1 : 0)) wrong.push({ seed: history.seed, comments });
  for (const issue of await world.activeOf(bench.repo)) await world.end(issue.id);
  // The host looks after every open one at every request.
  there.close({ repo: HOSTED, number: change.number, by: 'ada' });
}
