import { createChromaVectorStore } from '@sluice/code-search';
import { untilAborted } from '@sluice/core/async';
import { pgServerVersion } from '@sluice/db';
import { checkMailServer } from '@sluice/notify';
import { openRedis } from '@sluice/redis';
import { upgradeStorage } from './admin-storage.ts';
import { toStartError } from './database-errors.ts';

/** The longest that `doctor` waits for the answer of one service. */
const PATIENCE_MS = 8_000;

/** Logs in to Postgres. @throws StartError when that fails, or a newer version of Sluice has written the database */
export async function askPostgres(
  url: string,
  dataDir: string,
): Promise<{ readonly version: string; readonly pending: readonly string[] }> {
  const version = await answered(pgServerVersion({ url, applicationName: 'sluice-doctor' })).catch((error: unknown) => {
    throw toStartError(error);
  });
  return { version, pending: await answered(upgradeStorage({ databaseUrl: url, dataDir }, { dryRun: true })) };
}

/** Sends PING to Redis. @throws when it is unreachable, refuses the password, or does not answer */
export async function askRedis(url: string): Promise<void> {
  const redis = openRedis(url, { warn: () => undefined, info: () => undefined });
  try {
    const ready = new Promise<void>((resolve, reject) => {
      redis.commands.once('ready', () => resolve());
      redis.commands.once('error', reject);
    });
    await answered(ready);
    await redis.check(AbortSignal.timeout(PATIENCE_MS));
  } finally {
    await redis.close();
  }
}

/** Reads from Chroma. @throws AppError when it is unreachable or refuses the credentials */
export async function askChroma(url: URL): Promise<void> {
  const store = createChromaVectorStore({ url });
  try {
    await store.check(AbortSignal.timeout(PATIENCE_MS));
  } finally {
    await store.close();
  }
}

/** Logs in to the mail server, and sends nothing. @throws when it is unreachable or refuses the login */
export async function askMailServer(url: string): Promise<void> {
  await answered(checkMailServer({ url }));
}

function answered<T>(answer: Promise<T>): Promise<T> {
  return untilAborted(answer, AbortSignal.timeout(PATIENCE_MS));
}
