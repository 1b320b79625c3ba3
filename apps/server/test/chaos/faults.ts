import { setTimeout as pause } from 'node:timers/promises';
import type { ChromaServer } from '@sluice/testing';
import type { OwnServices } from '../shared-services.ts';
import type { Chance } from './chance.ts';
import type { Berth, Fleet } from './fleet.ts';
import type { Ledger } from './ledger.ts';

/** Each fault of a run, and how the ledger counts it. */
const faults = {
  killWorker: 'worker killed',
  freezeWorker: 'worker frozen past its lease',
  stopWorker: 'worker stopped',
  stopApi: 'api stopped',
  terminate: 'connections terminated',
  redis: 'redis killed',
  chroma: 'chroma killed',
  restartPostgres: 'postgres restarted',
} as const;

export type FaultName = keyof typeof faults;

export interface FaultSchedule {
  /** Each must occur at least once. With `chroma` the installation has a Chroma, and an embedding model to fill it with. */
  readonly faults: readonly FaultName[];
  /** Waits until the fault is due. False if it must not occur again. */
  isDue(fault: FaultName, progress: FaultProgress): Promise<boolean>;
}

interface FaultProgress {
  /** How often the fault was due before. */
  readonly before: number;
  /** How often it occurred: a due fault that finds no process to hit does nothing. */
  readonly occurred: number;
  /** How many events the users have seen. */
  readonly events: () => number;
  /** Aborted when all issues have ended. */
  readonly signal: AbortSignal;
}

export interface FaultsOptions {
  readonly fleet: Fleet;
  readonly services: OwnServices;
  readonly chroma: ChromaServer | null;
  readonly database: string;
  readonly schedule: FaultSchedule;
  readonly events: () => number;
  readonly chance: Chance;
  readonly ledger: Ledger;
  /** Aborted when all issues have ended. */
  readonly signal: AbortSignal;
}

const LEASE_MS = 15_000;
const MAX_LIFE_MS = 8_000;
const STOPPED_MS = 60_000; // it takes seconds on a machine at rest, and one that hangs has no end

/** Injects faults as scheduled until it is aborted. When it returns, everything runs again. */
export async function disturb(options: FaultsOptions): Promise<void> {
  const { schedule, ledger, signal, events } = options;
  const occurred = (fault: FaultName) => ledger.faults.get(faults[fault]) ?? 0;
  const injectAll = async (fault: FaultName) => {
    for (let before = 0; !signal.aborted; before += 1) {
      const isDue = await schedule.isDue(fault, { before, occurred: occurred(fault), events, signal });
      if (!isDue || signal.aborted) break;
      await inject(fault, { ...options, before });
    }
    if (occurred(fault) === 0) ledger.violation(`the fault "${faults[fault]}" never occurred`);
  };
  await Promise.all(schedule.faults.map(injectAll));
}

async function inject(fault: FaultName, { before, ...options }: FaultsOptions & { before: number }): Promise<void> {
  const isOdd = before % 2 === 1;
  if (fault === 'killWorker') await killWorker(options);
  else if (fault === 'freezeWorker') await freezeWorker(options);
  else if (fault === 'stopWorker') await stopOne(options, 'worker');
  else if (fault === 'stopApi') await stopOne(options, 'api');
  else if (fault === 'terminate') await terminateConnections(options);
  else if (fault === 'redis') await (isOdd ? freezeRedis(options) : killRedis(options));
  else if (fault === 'chroma') await (isOdd ? freezeChroma(options) : killChroma(options));
  else await restartPostgres(options);
}

async function killWorker({ fleet, chance, ledger }: FaultsOptions): Promise<void> {
  // A worker that had no time to claim an issue has nothing to lose, and on a busy machine none would ever claim one.
  const isAtWork = ({ since }: Berth) => performance.now() - since > chance.between(0, MAX_LIFE_MS);
  const victim = chance.pick(fleet.free('worker').filter(isAtWork));
  if (victim === undefined) return;
  ledger.fault('worker killed');
  await fleet.replace(victim, (process) => process.kill());
}

async function freezeWorker({ fleet, chance, ledger, signal }: FaultsOptions): Promise<void> {
  const victim = chance.pick(fleet.free('worker'));
  if (victim === undefined || victim.process === null) return;
  victim.taken = true;
  // Other sessions may wait for its locks until the database ends it.
  const over = ledger.outage();
  victim.process.freeze();
  await pause(LEASE_MS + chance.between(1_000, 5_000), undefined, { signal }).catch(() => undefined);
  victim.process.thaw();
  over();
  victim.taken = false;
  if (!signal.aborted) ledger.fault('worker frozen past its lease');
}

async function stopOne({ fleet, chance, ledger }: FaultsOptions, role: 'api' | 'worker'): Promise<void> {
  const victim = chance.pick(fleet.free(role));
  // One api process always answers: an installation that is updated does it one by one.
  if (victim === undefined || (role === 'api' && fleet.urls().length < 2)) return;
  ledger.fault(`${role} stopped`);
  await fleet.replace(victim, async (process) => {
    const began = performance.now();
    const code = await process.stop();
    const took = Math.round(performance.now() - began);
    if (code !== 0)
      ledger.violation(`a process (${role}) that was told to stop ended with ${code}: ${process.dataDir}`);
    if (took > STOPPED_MS) ledger.violation(`a process (${role}) took ${took} ms to stop`);
  });
}

async function terminateConnections({ services, database, ledger }: FaultsOptions): Promise<void> {
  const over = ledger.outage();
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`;
  const hit = await services.postgres.query(sql).catch(() => null);
  if (hit !== null) ledger.fault('connections terminated');
  over();
}

async function restartPostgres({ services, chance, ledger }: FaultsOptions): Promise<void> {
  const over = ledger.outage();
  ledger.fault('postgres restarted');
  await services.postgres.kill();
  await pause(chance.between(1_000, 4_000));
  await services.postgres.start();
  over();
}

async function killRedis({ services, chance, ledger }: FaultsOptions): Promise<void> {
  ledger.fault('redis killed');
  await services.redis.kill();
  await pause(chance.between(2_000, 6_000));
  await services.redis.start();
}

async function freezeRedis({ services, chance, ledger }: FaultsOptions): Promise<void> {
  ledger.fault('redis frozen');
  services.redis.freeze();
  await pause(chance.between(3_000, 8_000));
  services.redis.thaw();
}

async function killChroma({ chroma, chance, ledger }: FaultsOptions): Promise<void> {
  ledger.fault('chroma killed');
  await chroma?.kill();
  await pause(chance.between(2_000, 6_000));
  await chroma?.start();
}

async function freezeChroma({ chroma, chance, ledger }: FaultsOptions): Promise<void> {
  ledger.fault('chroma frozen');
  chroma?.freeze();
  await pause(chance.between(3_000, 8_000));
  chroma?.thaw();
}
