import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFolder } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { fillInstallation } from '../../bench/fill-installation.ts';
import { openSqlite, type SqliteOptions } from '../../src/index.ts';
import { migratedFolder } from '../scratch.ts';

/**
 * In which SQLite plans: before it has counted anything, as in the first hour; with what it counted while work was under way;
 * and with what it counted when there was none, on an installation that has no code host.
 */
export const regimes = ['nothing counted', 'counted while busy', 'counted while quiet'] as const;
export type Regime = (typeof regimes)[number];

/**
 * Nulls the columns of work that is not used afterwards: no issue is under way, nothing is due, nothing comes from a
 * code host.
 */
const QUIET = `
  delete from issues where active_remote is not null or waiting_ordinal is not null;
  update issues set parent_issue_id = null, codehost_number = null, codehost_comment_id = null, change_request_number = null;
  update repos set codehost_repo_id = null, provider = 'git', removed_at = null;
  update users set codehost_id = null, codehost_login = null;
  update sessions set revoked_at = null, oidc_issuer = null, oidc_sid = null, idle_ends_at = null;
  update api_tokens set revoked_at = null, repo_id = null;
  update codehost_inbox set run_after = null;
  update notification_deliveries set status = 'delivered', next_attempt_at = null, ended_at = created_at
    where status = 'pending'`;

/** A copy as it is; the calls change what they run on. */
export function copyOf(dataDir: string): string {
  const copy = mkdtempSync(join(databaseFolder(), 'sluice-test-'));
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}

/** A data folder for each regime with so many issues, which the service has closed: that is when it counts, too. */
export async function filledFolders(
  options: Omit<SqliteOptions, 'dataDir'>,
  issues: number,
): Promise<Readonly<Record<Regime, string>>> {
  const dataDir = await migratedFolder();
  await (await openSqlite({ ...options, dataDir })).close();
  const file = (folder: string) => new Sqlite(join(folder, 'sluice.db'));
  const uncounted = file(dataDir);
  fillInstallation(uncounted, { issues, now: options.clock.now().getTime() });
  uncounted.close();
  const folders = {
    'nothing counted': dataDir,
    'counted while busy': copyOf(dataDir),
    'counted while quiet': copyOf(dataDir),
  };
  const quiet = file(folders['counted while quiet']);
  quiet.pragma('foreign_keys = off');
  quiet.exec(QUIET);
  quiet.close();
  for (const regime of regimes.filter((one) => one !== 'nothing counted')) {
    await (await openSqlite({ ...options, dataDir: folders[regime] })).close();
  }
  return folders;
}
