import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { builtProgram } from '@sluice/testing';
import { scratchFolder } from '../scratch-server.ts';
import { type ServiceProcess, startProcess } from '../service-process.ts';
import type { Chance } from './chance.ts';
import type { Ledger } from './ledger.ts';

const START_AGAIN_MS = 300;
const LOSES_DISK = 0.3; // of the replacements come up on a host of their own, without the clones and trees

/** One place for a process. A process that is removed is replaced in its place. */
export interface Berth {
  readonly role: 'api' | 'worker';
  /** Null while the next one starts. */
  process: ServiceProcess | null;
  /** The time at which it began to listen. */
  since: number;
  /** Whether a fault is using it; no other fault may. */
  taken: boolean;
}

export interface Fleet extends AsyncDisposable {
  readonly berths: readonly Berth[];
  /** Where api processes answer at the moment. */
  urls(): string[];
  /** The running processes of a role that no fault is using. */
  free(role: Berth['role']): Berth[];
  /** Ends the process of a berth as `end` does it, and starts the next one without waiting for it. */
  replace(berth: Berth, end: (process: ServiceProcess) => Promise<void>): Promise<void>;
  readonly dataDirs: readonly string[];
}

export interface FleetOptions {
  readonly environment: Record<string, string>;
  readonly apis: number;
  readonly workers: number;
  readonly chance: Chance;
  readonly ledger: Ledger;
}

/** Several processes of the service, each as if on its own host. A process that is removed is started again. */
export async function startFleet({ environment, apis, workers, chance, ledger }: FleetOptions): Promise<Fleet> {
  await builtProgram('server'); // one that cannot be built would be started again and again
  const dataDirs: string[] = [];
  const newHost = () => {
    const folder = scratchFolder();
    dataDirs.push(folder);
    return folder;
  };
  let over = false;
  const starting = new Set<Promise<void>>();
  const berth = (role: Berth['role']): Berth => ({ role, process: null, since: 0, taken: false });
  const berths = [
    ...Array.from({ length: apis }, () => berth('api')),
    ...Array.from({ length: workers }, () => berth('worker')),
  ];

  async function fill(place: Berth, dataDir: string): Promise<void> {
    while (!over) {
      try {
        const started = await startProcess({ ...environment, ROLE: place.role, DATA_DIR: dataDir });
        place.process = started;
        place.since = performance.now();
        void started.ended.then(() => {
          if (place.process !== started || over) return;
          const log = readFileSync(join(started.dataDir, 'process.log'), 'utf8');
          ledger.violation(`a process (${place.role}) ended by itself: ${log.slice(-3_000)}`);
          begin(place, dataDir);
        });
        return;
      } catch {
        ledger.note('a process could not start'); // with the database away, as it should be
        await pause(START_AGAIN_MS);
      }
    }
  }

  function begin(place: Berth, dataDir: string): void {
    place.process = null;
    const started = fill(place, dataDir).finally(() => starting.delete(started));
    starting.add(started);
  }

  const fleet: Fleet = {
    berths,
    dataDirs,
    urls: () => berths.flatMap(({ role, process }) => (role === 'api' && process !== null ? [process.url] : [])),
    free: (role) => berths.filter((one) => one.role === role && one.process !== null && !one.taken),
    async replace(place, end) {
      const { process } = place;
      if (process === null) return;
      place.taken = true;
      try {
        place.process = null; // it gets no more requests
        await end(process);
      } finally {
        place.taken = false;
        begin(place, chance.next() < LOSES_DISK ? newHost() : process.dataDir);
      }
    },
    async [Symbol.asyncDispose]() {
      over = true;
      await Promise.all(starting);
      await Promise.all(berths.map((one) => one.process?.kill()));
      for (const folder of dataDirs) rmSync(folder, { recursive: true, force: true });
    },
  };
  for (const place of berths) begin(place, newHost());
  await Promise.all(starting);
  return fleet;
}
