import { setTimeout as pause } from 'node:timers/promises';
import { makeBuggyRepo } from '../scratch-repo.ts';
import { startSharedServices } from '../shared-services.ts';
import { openChance } from './chance.ts';
import { startFleet } from './fleet.ts';
import { type Trip, travel } from './journey.ts';
import { openLedger } from './ledger.ts';
import { openPerson } from './person.ts';

export interface IdleTransactionReport {
  /** How long the transaction was held. Each of the two stretches without it, before and after, took a quarter of that. */
  readonly seconds: number;
  /** Events written per second, which is how the work of unfinished issues counts too. */
  readonly before: number;
  readonly held: number;
  readonly after: number;
  /** `held` as a part of the mean of the others. */
  readonly ratio: number;
  readonly issues: number;
  readonly violations: readonly string[];
}

const REPOSITORIES = 8;
const BARE_SHARE = 0.25; // the harm of a held transaction grows with time; that of none does not
const MAX_ISSUES = 100_000; // more issues than can be done

/** Measures what somebody else's forgotten transaction on the same database costs. */
export async function measureIdleTransaction(options: {
  readonly seconds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}): Promise<IdleTransactionReport> {
  const { seconds, seed, say } = options;
  const ledger = openLedger(say);
  await using services = await startSharedServices();
  const environment: Record<string, string> = {
    ...(await services.installation()),
    TRUST_PROXY: 'loopback',
    ALLOW_LOCAL_REPOS: 'on',
    LOG_LEVEL: 'warn',
  };
  const database = new URL(environment.DATABASE_URL ?? '').pathname.slice(1);
  const chance = openChance(seed);
  await using fleet = await startFleet({ environment, apis: 1, workers: 2, chance, ledger });
  const done = new AbortController();
  const trips: Trip[] = [];
  const journeys = Array.from({ length: REPOSITORIES }, (_none, index) => index).map(async (index) => {
    let person = 0;
    await travel({
      repo: makeBuggyRepo({ name: `repo-${index}` }),
      issues: MAX_ISSUES,
      newPerson: () => {
        person += 1;
        const address = `10.${index}.${person >> 8}.${person & 255}`;
        return openPerson({ anywhere: () => fleet.urls()[0], address, ledger, signal: done.signal });
      },
      chance: openChance(seed + index),
      ledger,
      trips,
      signal: done.signal,
    });
  });
  const events = () => trips.reduce((sum, { seen }) => sum + seen.length, 0);
  const rate = async (stretch: number) => {
    const [began, from] = [performance.now(), events()];
    await pause(stretch * 1_000);
    return Math.round(((events() - from) / (performance.now() - began)) * 100_000) / 100;
  };
  await pause(seconds * 100); // one-time work at the start does not count
  const before = await rate(seconds * BARE_SHARE);
  say(`before: ${before} events per second`);
  // It has a number, a snapshot and a lock.
  const idle = await services.postgres.idleTransaction('select txid_current(), count(*) from issues', database);
  const held = await rate(seconds);
  await idle[Symbol.asyncDispose]();
  say(`held: ${held}`);
  const after = await rate(seconds * BARE_SHARE);
  say(`after: ${after}`);
  done.abort();
  await Promise.all(journeys);
  const ratio = Math.round((held / ((before + after) / 2)) * 1_000) / 1_000;
  const issues = trips.filter(({ over }) => over).length;
  return { seconds, before, held, after, ratio, issues, violations: ledger.violations };
}
