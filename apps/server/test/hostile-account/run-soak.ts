import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mountSmallDisk, type SmallDisk } from '@sluice/testing';
import { signUp } from '../http-session.ts';
import type { AttackName, AttackNews, AttackOrder } from './attack-messages.ts';
import { makeBlobBomb, makeTreeBomb } from './bomb-repos.ts';
import { quantile } from './figures.ts';
import { useOrdinarily } from './ordinary-user.ts';
import { restartUnderAttack } from './restart-under-attack.ts';
import { openSoakedServer } from './soaked-server.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly attacks: readonly AttackName[];
  /** How often the server is killed and restarted while its disk fills. */
  readonly restarts: number;
  /** Whether the working trees are on another disk than the database. */
  readonly workspacesApart: boolean;
  readonly say: (line: string) => void;
}

export interface SoakReport {
  readonly figures: Readonly<Record<string, string | number>>;
  /** Counts of the attacker's requests and their answers. */
  readonly attacks: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

const DISK_MEBIBYTES = 3_072;
const MAX_TASK_MS = 200;
const MAX_IDLE_RATIO = 5;
const FREED_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 10_000;
/** How much the database, its log and the clones may grow meanwhile. An attack takes the whole disk. */
const GROWTH_BYTES = 192 * 2 ** 20;
const LOOK_MS = 250;

/** One account attacks a server by every means while an ordinary user works. An idle server beside it is the reference. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { minutes, restarts, say } = options;
  const logs = mkdtempSync(join(tmpdir(), 'sluice-soak-'));
  const size = { mebibytes: DISK_MEBIBYTES, kind: 'ext4' } as const;
  using disk = mountSmallDisk(size);
  using treeDisk = options.workspacesApart ? mountSmallDisk(size) : null;
  using idleDisk = mountSmallDisk(size);
  const environment = {
    ALLOW_LOCAL_REPOS: 'on',
    REGISTRATION: 'open',
    MAX_ACTIVE_PIPELINES_PER_USER: '3',
    LOG_LEVEL: 'warn',
  };
  const filled = treeDisk ?? disk;
  const attacked = await openSoakedServer(disk, join(logs, 'attacked'), {
    ...environment,
    ...(treeDisk === null ? {} : { WORKSPACES_DIR: join(treeDisk.folder, 'trees') }),
  });
  const idle = await openSoakedServer(idleDisk, join(logs, 'idle'), environment);
  const violations: string[] = [];
  let hasReport = false;
  try {
    const people = {
      attacked: (await signUp(attacked.url)).repeating(),
      idle: (await signUp(idle.url)).repeating(),
    };
    const milliseconds = minutes * 60_000;
    const bombs = [makeTreeBomb(), makeBlobBomb()];
    const free = filled.free();
    const during = sortByAttack();
    const freeing = watchFreeing(filled, free);
    const order = {
      url: attacked.url,
      attacks: options.attacks,
      treeBomb: bombs[0]?.path ?? '',
      blobBomb: bombs[1]?.path ?? '',
      milliseconds,
    };
    say(`The attack begins, for ${minutes} minutes. Logs: ${logs}`);
    const [use, attacks] = await Promise.all([
      useOrdinarily(people, { milliseconds, onRead: during.add }),
      attack(order, (news) => {
        during.note(news);
        if (news.kind === 'ended' && news.fillsDisk) freeing.after(news.attack);
      }),
    ]);
    freeing.after('all attacks');
    const freedMs = await freeing.done();
    const longestTaskMs = attacked.longestTaskMs();
    const p99 = { attacked: quantile(use.attackedMs, 0.99), idle: quantile(use.idleMs, 0.99) };

    say(`The attack is over. ${restarts} restarts during disk attacks follow.`);
    const script = readFileSync(new URL('./fixtures/attack.py', import.meta.url), 'utf8');
    const starts = await restartUnderAttack({ server: attacked, disk: filled }, script, restarts).catch(
      (error: unknown) => {
        violations.push(`A restart failed: ${error}`);
        return [];
      },
    );
    const stoppedMs = await attacked.stop();

    for (const failure of use.failures) violations.push(failure);
    if (use.jobs.seconds.length < use.jobs.begun || use.jobs.begun === 0)
      violations.push('Not every main job was completed.');
    if (longestTaskMs > MAX_TASK_MS) violations.push(`A task took ${longestTaskMs} ms of the loop's processor time.`);
    if (p99.attacked > MAX_IDLE_RATIO * p99.idle)
      violations.push(`The p99 of requests is more than ${MAX_IDLE_RATIO} times that of the idle server.`);
    for (const [name, ms] of freedMs) {
      if (ms > FREED_WITHIN_MS)
        violations.push(`The disk was not free again within ${FREED_WITHIN_MS / 1_000} s after ${name}.`);
    }
    if (stoppedMs > STOPPED_WITHIN_MS) violations.push(`SIGTERM took ${Math.round(stoppedMs)} ms.`);
    hasReport = true;
    return {
      figures: {
        'main jobs completed': `${use.jobs.seconds.length} of ${use.jobs.begun}`,
        'longest main job': `${Math.max(0, ...use.jobs.seconds).toFixed(1)} s`,
        'longest task of the event loop': `${longestTaskMs} ms of processor time (idle server: ${idle.longestTaskMs()} ms)`,
        'requests timed': use.attackedMs.length,
        'request p50': inPairs(quantile(use.attackedMs, 0.5), quantile(use.idleMs, 0.5)),
        'request p99': inPairs(p99.attacked, p99.idle),
        ...during.figures(),
        'disk attacks': freedMs.length,
        'free space back after': `${(Math.max(0, ...freedMs.map(([, ms]) => ms)) / 1_000).toFixed(1)} s at most`,
        'restarts during a disk attack': `${starts.length} of ${restarts}, ${(Math.max(0, ...starts) / 1_000).toFixed(1)} s at most`,
        'SIGTERM during a disk attack': `${(stoppedMs / 1_000).toFixed(1)} s`,
      },
      attacks,
      violations,
    };
  } finally {
    await Promise.all([attacked.kill(), idle.kill()]);
    if (hasReport && violations.length === 0) rmSync(logs, { recursive: true, force: true });
  }
}

const inPairs = (attacked: number, idle: number) =>
  `${attacked.toFixed(1)} ms, idle server ${idle.toFixed(1)} ms: ${(attacked / idle).toFixed(1)} times`;

/** Measures how long after each disk attack the disk has as much free space as before all of them. */
function watchFreeing(disk: SmallDisk, before: number) {
  const measured: Promise<readonly [string, number]>[] = [];
  const measure = async (name: string) => {
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    while (disk.free() < before - GROWTH_BYTES && elapsed() <= FREED_WITHIN_MS) await pause(LOOK_MS);
    return [name, elapsed()] as const;
  };
  return {
    after: (name: string) => {
      measured.push(measure(name));
    },
    done: () => Promise.all(measured),
  };
}

/** Which attack the slow requests belong to. */
function sortByAttack() {
  const running = new Set<string>();
  const samples = new Map<string, number[]>();
  return {
    note: ({ kind, attack }: { kind: 'began' | 'ended'; attack: string }) => {
      if (kind === 'began') running.add(attack);
      else running.delete(attack);
    },
    add: (ms: number) => {
      for (const attack of running) samples.set(attack, [...(samples.get(attack) ?? []), ms]);
    },
    figures: () =>
      Object.fromEntries(
        [...samples].map(([attack, ms]) => [`request p99 during ${attack}`, `${quantile(ms, 0.99).toFixed(1)} ms`]),
      ),
  };
}

/** Runs the attacker in a separate process. @returns its counts */
async function attack(
  order: AttackOrder,
  onNews: (news: Exclude<AttackNews, { kind: 'over' }>) => void,
): Promise<Record<string, number>> {
  const child = fork(new URL('./attacker.ts', import.meta.url), { execArgv: [] });
  const exited = once(child, 'exit');
  let counts: Record<string, number> | null = null;
  child.on('message', (news: AttackNews) => {
    if (news.kind === 'over') counts = { ...news.counts };
    else onNews(news);
  });
  child.send(order);
  await exited;
  if (counts === null) throw new Error('The attacker ended before its attack was over.');
  return counts;
}
