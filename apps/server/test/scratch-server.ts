import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migratedFolder } from '@sluice/db/scratch';
import { parseConfig } from '../src/config/parse-config.ts';
import { startServer } from '../src/server.ts';

export interface ScratchServer extends AsyncDisposable {
  readonly url: string;
  /** Null unless METRICS_PORT is set. */
  readonly metricsUrl: string | null;
  readonly dataDir: string;
  /** Closes it and leaves its data. */
  close(): Promise<void>;
  /** Closes it and starts another one over the same data, with the same configuration unless given. */
  restart(environment?: Record<string, string>): Promise<ScratchServer>;
}

/** The whole service in this process, on a free port, over a new data folder. */
export async function startScratchServer(
  environment: Record<string, string> = {},
  givenFolder?: string,
): Promise<ScratchServer> {
  const dataDir = givenFolder ?? (await newDataFolder(environment));
  const config = parseConfig({
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ALLOW_LOCAL_REPOS: 'on', // for every person of a test, not only the first; empty: as it is by default
    ...environment,
  });
  const server = await startServer(config, { logFile: join(dataDir, 'sluice.log') });
  let open = true;
  const close = async () => {
    if (open) await server.close();
    open = false;
  };
  return {
    url: server.url,
    metricsUrl: server.metricsUrl,
    dataDir,
    close,
    restart: async (otherwise = environment) => {
      await close();
      return await startScratchServer(otherwise, dataDir);
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The data folder of a new installation; its embedded database, if it has one, is migrated. */
export async function newDataFolder(environment: Readonly<Record<string, string>>): Promise<string> {
  return environment.DATABASE_URL === undefined ? await migratedFolder(tmpdir()) : scratchFolder();
}

export function scratchFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sluice-data-'));
}
