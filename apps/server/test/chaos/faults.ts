import { setTimeout as pause } from 'node:timers/promises';
import type { ChromaServer } from '@sluice/testing';
import type { SharedServices } from '../shared-services.ts';
import type { Chance } from './chance.ts';
import type { Berth, Fleet } from './fleet.ts';
import type { Ledger } from './ledger.ts';

/** How often each fault comes, in milliseconds; 0 = never. The first one comes after half of it. */
export interface FaultPace {
  readonly killWorker: number;
  readonly freezeWorker: number;
  readonly stopWorker: number;
  readonly stopApi: number;
  readonly terminate: number;
  readonly redis: number;
  /** With any at all the installation has a Chroma, and an embedding model to fill it with. */
  readonly chroma: number;
  readonly restartPostgres: number;
  /** How often Postgres is restarted at most. */
  readonly postgresRestarts: number;
}

export interface FaultsOptions {
  readonly fleet: Fleet;
  readonly services: SharedServices;
  readonly chroma: ChromaServer | null;
  readonly database: string;
  readonly pace: FaultPace;
  readonly chance: Chance;
  readonly ledger: Ledger;
  /** Aborted when all issues have ended. */
  readonly signal: AbortSignal;
}

const LEASE_MS = 15_000;
const MOST_LIFE_MS = 8_000;
const STOPPED_MS = 60_000; // it takes seconds on a machine at rest, and one that hangs has no end

/** Injects each fault at its interval until it is aborted. When it returns, everything runs again. */
export async function disturb(options: FaultsOptions): Promise<void> {
  const { pace } = options;
  let restarts = 0;
  const restart = async () => {
    if (restarts >= pace.postgresRestarts) return;
    restarts += 1;
    await restartPostgres(options);
  };
  let redisFaults = 0;
  const redis = async () => {
    redisFaults += 1;
    await (redisFaults % 2 === 1 ? killRedis(options) : freezeRedis(options));
  };
  let chromaFaults = 0;
  const chroma = async () => {
    chromaFaults += 1;
    await (chromaFaults % 2 === 1 ? killChroma(options) : freezeChroma(options));
  };
  await Promise.all([
    every(pace.killWorker, options, () => killWorker(options)),
    every(pace.freezeWorker, options, () => freezeWorker(options)),
    every(pace.stopWorker, options, () => stopOne(options, 'worker')),
    every(pace.stopApi, options, () => stopOne(options, 'api')),
    every(pace.terminate, options, () => terminateConnections(options)),
    every(pace.redis, options, redis),
    every(pace.chroma, options, chroma),
    every(pace.restartPostgres, options, restart),
  ]);
}

async function every(ms: number, { signal }: FaultsOptions, act: () => Promise<void>): Promise<void> {
  if (ms === 0) return;
  const wait = (time: number) => pause(time, undefined, { signal }).catch(() => undefined);
  await wait(ms / 2);
  while (!signal.aborted) {
    await act();
    await wait(ms);
  }
}

async function killWorker({ fleet, chance, ledger }: FaultsOptions): Promise<void> {
  // A worker that had no time to claim an issue has nothing to lose, and on a busy machine none would ever claim one.
  const isAtWork = ({ since }: Berth) => performance.now() - since > chance.between(0, MOST_LIFE_MS);
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
