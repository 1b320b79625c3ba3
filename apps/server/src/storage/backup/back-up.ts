import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import manifest from '../../../package.json' with { type: 'json' };
import { backupStorage } from '../../compose/backup-storage.ts';
import { type LoadConfigOptions, loadConfig } from '../../config/load-config.ts';
import { findSecrets } from '../../keys/secrets.ts';
import { StartError } from '../../process/start-error.ts';
import { syncFolder } from '../../process/sync-folder.ts';
import { BACKUP_FORMAT, type BackupManifest } from './backup-manifest.ts';
import { refuseServerMode } from './refuse-server-mode.ts';
import { writeArchive } from './write-archive.ts';

export interface BackupOptions extends LoadConfigOptions {
  /** The archive that is made, readable by its owner alone. */
  readonly file: string;
  /** Whether a file that is there already may be replaced. */
  readonly replace: boolean;
}

export interface BackupReport extends BackupManifest {
  readonly file: string;
  /** Of the archive. */
  readonly bytes: number;
}

const LONGEST_BACKUP_MS = 86_400_000; // nobody knows whether another process is at work in a folder; not for that long

/**
 * Writes the embedded installation of the data folder, as it is at one instant, into one file. A server may run on the
 * folder. The file is there whole or not at all.
 *
 * @throws ConfigError also where the database is Postgres
 * @throws StartError when the file is there already, or the database or secrets.json is damaged
 */
export async function backUp({ file: given, replace, ...options }: BackupOptions): Promise<BackupReport> {
  const config = loadConfig(options);
  refuseServerMode(config, 'pg_dump');
  const file = resolve(given);
  if (!replace && existsSync(file)) throw isThere(given);
  const aside = makeFolder(file);
  try {
    const { changes, tables } = backupStorage.copy(config.dataDir, join(aside, 'sluice.db'));
    const secrets = findSecrets(config).map(({ variable, from }) => ({ variable, from }));
    const kept = secrets.some(({ from }) => from === 'secrets.json')
      ? readFileSync(join(config.dataDir, 'secrets.json'))
      : null;
    const files: BackupManifest['files'] = [await describeDatabase(join(aside, 'sluice.db'))];
    if (kept !== null) files.unshift({ name: 'secrets.json', bytes: kept.length, sha256: sha256(kept) });
    const about: BackupManifest = {
      format: BACKUP_FORMAT,
      sluice_version: manifest.version,
      created_at: new Date().toISOString(),
      changes: [...changes],
      tables: [...tables],
      secrets,
      files,
    };
    const text = Buffer.from(`${JSON.stringify(about, null, 2)}\n`);
    const archive = join(aside, 'archive');
    await writeArchive(archive, [
      { name: 'manifest.json', size: text.length, content: [text] },
      ...files.map(({ name, bytes }) => ({
        name,
        size: bytes,
        content: name === 'secrets.json' ? [kept ?? Buffer.alloc(0)] : createReadStream(join(aside, name)),
      })),
    ]);
    giveName(archive, { file, given, replace });
    return { ...about, file, bytes: statSync(file).size };
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Beside the file, so that it gets its name by a rename. What a killed run left behind is removed, a day later. */
function makeFolder(file: string): string {
  const folder = dirname(file);
  const prefix = `.${basename(file)}.partial-`;
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (!name.startsWith(prefix) || Date.now() - statSync(path).mtimeMs < LONGEST_BACKUP_MS) continue;
      rmSync(path, { recursive: true, force: true });
    }
    return mkdtempSync(join(folder, prefix));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `The backup cannot be written beside ${file} (${code}): name a folder that this user may write.`,
      {
        cause: error,
      },
    );
  }
}

async function describeDatabase(path: string): Promise<BackupManifest['files'][number]> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { name: 'sluice.db', bytes: statSync(path).size, sha256: hash.digest('hex') };
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function giveName(archive: string, to: { file: string; given: string; replace: boolean }): void {
  if (to.replace || !hasLinked(archive, to)) renameSync(archive, to.file);
  syncFolder(dirname(to.file));
}

/** Of two that make the same file one is refused. False on a file system without links, where that cannot be promised. */
function hasLinked(archive: string, { file, given }: { file: string; given: string }): boolean {
  try {
    linkSync(archive, file);
    return true;
  } catch (error) {
    if (existsSync(file)) throw isThere(given);
    if (/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function isThere(given: string): StartError {
  return new StartError(`${given} is there already: name another file, or say --yes to replace it.`);
}
