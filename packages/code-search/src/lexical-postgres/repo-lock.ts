import { setTimeout as pause } from 'node:timers/promises';
import type { IndexConnection } from './index-connection.ts';

const ASK_AGAIN_MS = 200;
/** How long a connection may stand still between two steps of an update: parsing takes seconds, git rarely a minute. */
const SILENCE = '10min';

/**
 * Waits until no other process updates this repository's index, and keeps others out until the connection closes. Asked for
 * again and again, not waited for: so a cancelled update leaves the line at once, and nothing waits inside Postgres.
 *
 * @throws the signal's reason
 */
export async function lockRepo(db: IndexConnection, repo: string, signal: AbortSignal): Promise<void> {
  // A process that was stopped in its tracks loses the lock. Postgres knows this setting since version 14.
  await db.query(`select set_config(name, '${SILENCE}', false) from pg_settings where name = 'idle_session_timeout'`);
  for (;;) {
    const [answer] = await db.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('sluice code index ' || $1, 0)) as locked`,
      [repo],
    );
    if (answer?.locked === true) return;
    await pause(ASK_AGAIN_MS, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  }
}
