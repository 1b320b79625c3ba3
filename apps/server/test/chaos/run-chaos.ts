import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../hostile-account/figures.ts';
import { makeBuggyRepo } from '../scratch-repo.ts';
import { startSharedServices } from '../shared-services.ts';
import { openChance } from './chance.ts';
import { disturb, type FaultSchedule } from './faults.ts';
import { startFleet } from './fleet.ts';
import { type Trip, travel } from './journey.ts';
import { judge } from './judge.ts';
import { openLedger } from './ledger.ts';
import { openVectors } from './open-vectors.ts';
import { openPerson } from './person.ts';
import { sample } from './sampler.ts';

export interface ChaosOptions {
  readonly apis: number;
  readonly workers: number;
  readonly issues: number;
  readonly repositories: number;
  /** Pipelines at a time. */
  readonly cap: number;
  /** How long the faults last at most; then what is left has as long again, and ten minutes at least, to end in peace. */
  readonly minutes: number;
  readonly schedule: FaultSchedule;
  readonly seed: number;
  readonly say?: (line: string) => void;
}

export interface ChaosReport {
  readonly seed: number;
  readonly seconds: number;
  readonly issues: number;
  readonly events: number;
  /** Samples of the rows, and the most pipelines that were live in one. */
  readonly sampled: { readonly samples: number; readonly most: number };
  /** How many leases were left to expire, and how long their issues then stood still, in seconds. */
  readonly resumed: { readonly times: number; readonly p50: number; readonly p99: number; readonly most: number };
  /** The most that were live at a time by the log, in the order of its commits. */
  readonly mostLogged: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly notes: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

const TELL_MS = 10_000;
const MIN_QUIET_MINUTES = 10;

/** Runs issues through an installation of several processes while everything under it fails, and judges what came of it. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, repositories, cap, say = () => undefined } = options;
  const began = performance.now();
  const chance = openChance(seed);
  const ledger = openLedger(say);
  await using services = await startSharedServices();
  await using vectors = options.schedule.faults.includes('chroma') ? await openVectors() : null;
  await keepCommitTimes(services.postgres);
  const environment: Record<string, string> = {
    ...(await services.installation()),
    ...vectors?.environment,
    MAX_ACTIVE_PIPELINES: String(cap),
    TRUST_PROXY: 'loopback',
    ALLOW_LOCAL_REPOS: 'on',
    LOG_LEVEL: 'warn',
  };
  const database = new URL(environment.DATABASE_URL ?? '').pathname.slice(1);
  await using fleet = await startFleet({ ...options, environment, chance, ledger });
  say(`seed ${seed}: all processes listen after ${seconds(began)} s`);

  const peace = AbortSignal.timeout(options.minutes * 60_000);
  const timeOver = AbortSignal.timeout((options.minutes + Math.max(options.minutes, MIN_QUIET_MINUTES)) * 60_000);
  const done = new AbortController();
  const trips: Trip[] = [];
  const events = () => trips.reduce((sum, { seen }) => sum + seen.length, 0);
  const share = (index: number) =>
    Math.floor(options.issues / repositories) + (index < options.issues % repositories ? 1 : 0);
  const journeys = Array.from({ length: repositories }, (_none, index) => index).map(async (index) => {
    let person = 0;
    await travel({
      repo: makeBuggyRepo({ name: `repo-${index}` }),
      issues: share(index),
      newPerson: () => {
        person += 1;
        const address = `10.${index}.${person >> 8}.${person & 255}`;
        return openPerson({ anywhere: () => chance.pick(fleet.urls()), address, ledger, signal: timeOver });
      },
      chance: openChance(seed + index + 1),
      ledger,
      trips,
      signal: timeOver,
    });
  });
  const sampling = sample({ postgres: services.postgres, database, cap, ledger, signal: done.signal });
  const signal = AbortSignal.any([done.signal, peace]);
  const disturbing = disturb({
    ...options,
    events,
    fleet,
    services,
    chroma: vectors?.chroma ?? null,
    database,
    chance,
    ledger,
    signal,
  });
  const telling = tell(done.signal, () => {
    const ended = trips.filter(({ over }) => over).length;
    say(
      `${seconds(began)} s: ${ended} of ${options.issues} ended; ${inWords(ledger.faults)}; ${inWords(ledger.notes)}; ${ledger.violations.length} violations`,
    );
  });
  await Promise.all(journeys);
  done.abort();
  const [sampled] = await Promise.all([sampling, disturbing, telling]);

  const { mostLogged } = await judge({ postgres: services.postgres, database, cap, trips, ledger });
  readLogs(fleet.dataDirs, ledger);
  if (sampled.most < cap) ledger.violation(`at most ${sampled.most} of ${cap} slots were taken at once`);
  if (trips.length !== options.issues) ledger.violation(`${trips.length} issues were begun, not ${options.issues}`);
  for (const path of new Set(trips.map(({ repo }) => dirname(repo.path))))
    rmSync(path, { recursive: true, force: true });
  return {
    seed,
    seconds: seconds(began),
    issues: trips.length,
    events: events(),
    sampled: { samples: sampled.samples, most: sampled.most },
    resumed: resumedOf(sampled.stoodStillMs),
    mostLogged,
    faults: Object.fromEntries(ledger.faults),
    notes: Object.fromEntries(ledger.notes),
    violations: ledger.violations,
  };
}

function resumedOf(stoodStillMs: readonly number[]): ChaosReport['resumed'] {
  const after = (share: number) => Math.round(quantile(stoodStillMs, share) / 100) / 10;
  return { times: stoodStillMs.length, p50: after(0.5), p99: after(0.99), most: after(1) };
}

/**
 * Keeps the commit times of transactions, so that the log can be sorted by commit: an event has the time of its
 * transaction's begin.
 */
async function keepCommitTimes(postgres: Awaited<ReturnType<typeof startSharedServices>>['postgres']): Promise<void> {
  await postgres.query('alter system set track_commit_timestamp = on');
  await postgres.kill();
  await postgres.start();
}

/** Collects log lines that must never be written: a stage that failed by a bug of ours, a listener that threw. */
function readLogs(dataDirs: readonly string[], ledger: ReturnType<typeof openLedger>): void {
  for (const folder of dataDirs) {
    const lines = readFileSync(join(folder, 'process.log'), 'utf8').split('\n');
    for (const line of lines) {
      if (/failed in an unexpected way|threw|UnhandledPromise|unhandled|Uncaught/.test(line)) {
        ledger.violation(`${folder}: ${line.slice(0, 600)}`);
      }
    }
  }
}

async function tell(signal: AbortSignal, say: () => void): Promise<void> {
  while (!signal.aborted) {
    await pause(TELL_MS, undefined, { signal }).catch(() => undefined);
    say();
  }
}

const seconds = (since: number) => Math.round((performance.now() - since) / 100) / 10;
const inWords = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([what, count]) => `${what} ${count}`).join(', ');
