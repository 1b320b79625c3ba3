import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SmallDisk } from '@sluice/testing';
import { type ServiceProcess, startProcess } from '../service-process.ts';

const START_LIMIT_MS = 120_000; // tells of a hang, never of a busy machine

/** A server on a separate disk, whose event loop is measured. */
export interface SoakedServer {
  readonly url: string;
  kill(): Promise<void>;
  /** @returns the milliseconds that it took to end */
  stop(): Promise<number>;
  /** Starts another process over the same data. @returns the milliseconds until it listened */
  start(): Promise<number>;
  /** The longest time between two turns of the loop, in milliseconds of its thread's processor time; no start is in it. */
  longestTaskMs(): number;
}

/**
 * Starts a server whose data lies on a small disk.
 *
 * @param logs a folder outside the disk, for what a full disk could not take
 */
export async function openSoakedServer(
  disk: SmallDisk,
  logs: string,
  environment: Record<string, string>,
): Promise<SoakedServer> {
  mkdirSync(logs, { recursive: true });
  const dataDir = join(disk.folder, 'data');
  mkdirSync(dataDir);
  const log = join(logs, 'process.log');
  writeFileSync(log, '');
  symlinkSync(log, join(dataDir, 'process.log'));
  const turns = join(logs, 'turns.log');
  writeFileSync(turns, '');
  const probe = new URL('./loop-probe.ts', import.meta.url);
  probe.searchParams.set('log', turns);

  let running: ServiceProcess | null = null;
  let listensSince = 0;
  let longestMs = 0;
  const collect = () => {
    for (const line of readFileSync(turns, 'utf8').split('\n')) {
      const [at = 0, ms = 0] = line.split(' ').map(Number);
      // The second in which it began to listen has part of its start.
      if (at > listensSince + 1_000) longestMs = Math.max(longestMs, ms);
    }
    return longestMs;
  };
  const start = async () => {
    collect();
    writeFileSync(turns, '');
    const began = performance.now();
    const starting = startProcess({ ...environment, DATA_DIR: dataDir }, ['--import', probe.href]);
    const late = pause(START_LIMIT_MS, null, { ref: false });
    running = await Promise.race([starting, late]);
    if (running === null) throw new Error(`The server did not listen within ${START_LIMIT_MS / 1_000} s: see ${log}`);
    listensSince = Date.now();
    return performance.now() - began;
  };
  await start();
  return {
    get url() {
      return running?.url ?? '';
    },
    kill: async () => await running?.kill(),
    stop: async () => {
      const began = performance.now();
      await running?.stop();
      return performance.now() - began;
    },
    start,
    longestTaskMs: collect,
  };
}
