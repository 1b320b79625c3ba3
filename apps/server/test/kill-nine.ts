import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { IssueEvent, IssueWire } from '@sluice/core/issue';
import type { Stage } from '@sluice/core/pipeline';
import { stages } from '@sluice/core/pipeline';
import type { RepoWire } from '@sluice/core/repo';
import { builtProgram } from '@sluice/testing';
import { type HttpSession, signUp } from './http-session.ts';
import { fixingIssue, makeBuggyRepo, type ScratchRepo } from './scratch-repo.ts';
import { scratchFolder } from './scratch-server.ts';

/** What a run of kills showed. Every list but `killsByStage` must be empty. */
export interface KillReport {
  readonly kills: number;
  readonly issues: number;
  readonly killsByStage: Readonly<Record<string, number>>;
  /** Milliseconds from each start to the moment when every issue that should run was held by a worker again. */
  readonly recoveryMs: readonly number[];
  readonly violations: readonly string[];
}

interface KillNineOptions {
  readonly kills: number;
  /** The stages to kill in, in turn: all of them unless given. */
  readonly aim?: readonly Stage[];
  /** Three unless given; with fewer than the host has slots, each new issue runs at once. */
  readonly repositories?: number;
  readonly say?: (line: string) => void;
}

const RECOVERY_LIMIT_MS = 10_000; // who waited for the dead process's leases to end would wait for 15 s
const RECOVERY_IN_STARTS = 12; // on a slow machine: it takes a part of what the start of the process before it takes
const ISSUE_LIMIT_MS = 600_000; // tells of a hang, never of a busy machine

/**
 * Kills a serving process with -9 again and again, aiming at each stage in turn, starts it over the same data, and
 * then checks that nothing was lost and nothing happened twice.
 */
export async function killNine(options: KillNineOptions): Promise<KillReport> {
  const { aim = stages, repositories = 3, say = () => undefined } = options;
  const dataDir = scratchFolder();
  const violations: string[] = [];
  const recoveryMs: number[] = [];
  const killsByStage: Record<string, number> = {};
  let server = await startProcess(dataDir);
  try {
    let person = await signUp(server.url);
    const tracks = await Promise.all(Array.from({ length: repositories }, (_none, index) => openTrack(person, index)));
    for (let kill = 1; kill <= options.kills; kill++) {
      const stage = aim[kill % aim.length] as Stage;
      const hit = await advanceUntil(person, { tracks, stage, violations });
      // A stage of a few milliseconds is hit by killing at once, a long one by waiting a little: both, by chance.
      if (Math.random() < 0.5) await pauseBelow(60);
      await server.kill();
      killsByStage[hit] = (killsByStage[hit] ?? 0) + 1;
      const restartedAt = Date.now();
      server = await startProcess(dataDir);
      const limitMs = Math.max(RECOVERY_LIMIT_MS, RECOVERY_IN_STARTS * (Date.now() - restartedAt));
      person = person.at(server.url);
      recoveryMs.push(await recovered(person, { tracks, restartedAt, limitMs, violations }));
      say(`kill ${kill}: in ${hit}, running again after ${recoveryMs.at(-1)} ms`);
    }
    for (const track of tracks) await finish(person, { track, violations });
    for (const track of tracks) await inspect(person, { track, violations });
    const issues = tracks.reduce((sum, track) => sum + track.issueIds.length, 0);
    return { kills: options.kills, issues, killsByStage, recoveryMs, violations };
  } finally {
    await server.kill();
  }
}

/** One repository and the issues made on it, one after the other, followed on their streams across all kills. */
interface Track {
  readonly repo: ScratchRepo;
  readonly repoId: string;
  readonly issueIds: string[];
  /** Sequence number of the last event seen of the newest issue. */
  seen: number;
}

interface ServingProcess {
  readonly url: string;
  kill(): Promise<void>;
}

async function startProcess(dataDir: string): Promise<ServingProcess> {
  const program = await builtProgram('server');
  const own = { HOME: dataDir, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await firstUrl(child);
  return {
    url,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function firstUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no stdout');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /https?:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it listened');
}

async function openTrack(person: HttpSession, index: number): Promise<Track> {
  // The test takes a moment, so that kills hit it as well as the writes around it.
  const testScript =
    'sleep 0.15\ngrep -qx fixed value.txt || { echo "not ok 1 - value is fixed"; exit 1; }\necho "ok 1 - value is fixed"\n';
  const repo = makeBuggyRepo({ name: `repo-${index}`, testScript });
  const answer = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path });
  if (answer.status !== 201) throw new Error(`repo: ${JSON.stringify(answer.body)}`);
  const track: Track = { repo, repoId: answer.body.id, issueIds: [], seen: 0 };
  await beginIssue(person, track);
  return track;
}

async function beginIssue(person: HttpSession, track: Track): Promise<void> {
  const answer = await person.call<IssueWire>('POST', '/api/issues', { repo_id: track.repoId, ...fixingIssue });
  if (answer.status === 201) {
    track.issueIds.push(answer.body.id);
    track.seen = 0;
  } else if (answer.status !== 429) throw new Error(`issue: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Where a kill is aimed: resolves as soon as an issue begins the stage, or waits at the gate. */
interface Aim {
  readonly stage: Stage;
  hit(where: string): void;
}

/** Follows all tracks, approving plans and beginning the next issue, until the aim is hit; returns where. */
async function advanceUntil(
  person: HttpSession,
  work: { tracks: readonly Track[]; stage: Stage; violations: string[] },
): Promise<string> {
  let hit: (where: string) => void = () => {};
  const reached = new Promise<string>((resolve) => {
    hit = resolve;
  });
  const followers = work.tracks.map((track) =>
    follow(person, track, { aim: { stage: work.stage, hit }, violations: work.violations }),
  );
  const timeout = setTimeout(() => hit('nowhere'), ISSUE_LIMIT_MS);
  const where = await Promise.race([reached, Promise.all(followers).then(() => 'nowhere')]);
  clearTimeout(timeout);
  if (where === 'nowhere') work.violations.push(`no issue came to ${work.stage} within ${ISSUE_LIMIT_MS} ms`);
  // The streams break with the kill; each follower ends by that.
  void Promise.allSettled(followers);
  return where;
}

/** Ends when its stream breaks, which the kill does to all of them, or when the aim is hit. */
async function follow(person: HttpSession, track: Track, work: { aim: Aim; violations: string[] }): Promise<void> {
  let over = false;
  try {
    while (!over) {
      const id = track.issueIds.at(-1) ?? '';
      const before = await person.issue(id);
      if (before.gate !== null) {
        if (work.aim.stage === 'human_review') return work.aim.hit('human_review');
        await decide(person, id);
      }
      await person.events(
        id,
        (event) => {
          if (!('seq' in event)) return false;
          if (event.seq !== track.seen + 1) work.violations.push(`stream of ${id}: ${event.seq} after ${track.seen}`);
          track.seen = event.seq;
          if (event.type === 'stage.started' && event.data.stage === work.aim.stage) {
            over = true;
            work.aim.hit(event.data.stage);
          }
          return over || (event.type === 'issue.status' && event.data.to === 'awaiting_approval');
        },
        track.seen,
      );
      if (!over && (await person.issue(id)).finished_at !== null) await beginIssue(person, track);
    }
  } catch {
    // the process was killed under us, which is what this is about
  }
}

async function decide(person: HttpSession, id: string): Promise<void> {
  await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
}

/** Waits until every unfinished issue has shown life since the restart: it moved, or waits for a person. */
async function recovered(
  person: HttpSession,
  work: { tracks: readonly Track[]; restartedAt: number; limitMs: number; violations: string[] },
): Promise<number> {
  const startedAt = Date.now();
  for (const { issueIds } of work.tracks) {
    for (;;) {
      const issue = await person.issue(issueIds.at(-1) ?? '');
      // The process before has ended by then: what is written since is this one's.
      const isMoved = Date.parse(issue.updated_at) >= work.restartedAt;
      if (issue.finished_at !== null || issue.gate !== null || isMoved) break;
      if (Date.now() - startedAt > work.limitMs) {
        work.violations.push(
          `issue ${issue.id} did not run again within ${work.limitMs} ms: ${issue.status} ${issue.stage}`,
        );
        break;
      }
    }
  }
  return Date.now() - startedAt;
}

async function finish(person: HttpSession, work: { track: Track; violations: string[] }): Promise<void> {
  const id = work.track.issueIds.at(-1) ?? '';
  const deadline = Date.now() + ISSUE_LIMIT_MS;
  for (;;) {
    const issue = await person.issue(id);
    if (issue.finished_at !== null) return;
    if (issue.gate !== null) await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
    if (Date.now() > deadline) {
      work.violations.push(`issue ${id} never ended: ${issue.status} ${issue.stage}`);
      return;
    }
  }
}

async function inspect(person: HttpSession, work: { track: Track; violations: string[] }): Promise<void> {
  const { track, violations } = work;
  for (const id of track.issueIds) {
    const issue = await person.issue(id);
    if (issue.result === null) violations.push(`issue ${id} ended ${issue.status}: ${issue.error?.detail}`);
    const events = (await person.events(id)) as IssueEvent[];
    const seqs = events.map((event) => event.seq);
    if (seqs.some((seq, index) => seq !== index + 1)) violations.push(`issue ${id}: events ${seqs.join(',')}`);
    for (const stage of stages) {
      const ends = events.filter((event) => event.type === 'stage.completed' && event.data.stage === stage).length;
      if (stage !== 'human_review' && ends !== 1) violations.push(`issue ${id}: ${stage} completed ${ends} times`);
    }
    for (const type of [
      'issue.created',
      'plan.created',
      'review.requested',
      'review.decided',
      'result.published',
    ] as const) {
      const times = events.filter((event) => event.type === type).length;
      if (times !== 1) violations.push(`issue ${id}: ${type} ${times} times`);
    }
    const commits = Number(track.repo.git('rev-list', '--count', `main..${issue.result?.branch ?? 'main'}`));
    if (commits !== 1) violations.push(`issue ${id}: its branch has ${commits} commits`);
    const value = track.repo.git('show', `${issue.result?.branch ?? 'main'}:value.txt`);
    if (value !== 'fixed') violations.push(`issue ${id}: its branch holds ${value}`);
  }
  const branches = track.repo.git('branch', '--list', 'sluice/*').split('\n').length;
  if (branches !== track.issueIds.length)
    violations.push(`${track.repo.path}: ${branches} branches for ${track.issueIds.length} issues`);
}

/** A random moment: a kill must hit the middle of things, which no condition can name. */
function pauseBelow(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * ms));
}

if (process.argv[1] === import.meta.filename) {
  const kills = Number(process.argv[2] ?? 100);
  const report = await killNine({ kills, say: (line) => process.stdout.write(`${line}\n`) });
  process.stdout.write(
    `${JSON.stringify({ ...report, recoveryMs: { most: Math.max(...report.recoveryMs) } }, null, 2)}\n`,
  );
  process.exitCode = report.violations.length === 0 ? 0 : 1;
}
