import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
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
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import manifest from '../../../package.json' with { type: 'json' };
import { backupStorage } from '../../compose/backup-storage.ts';
import { type LoadConfigOptions, loadConfig } from '../../config/load-config.ts';
import { findSecrets } from '../../keys/secrets.ts';
import { StartError } from '../../process/start-error.ts';
import { syncFolder } from '../../process/sync-folder.ts';
import { BACKUP_FORMAT, type BackupManifest } from './backup-manifest.ts';
import { refuseServerMode } from './refuse-server-mode.ts';

export interface BackupOptions extends LoadConfigOptions {
  /** The archive to write, readable by its owner only. */
  readonly file: string;
  /** Whether an existing file may be replaced. */
  readonly replace: boolean;
}

export interface BackupReport extends BackupManifest {
  readonly file: string;
  /** Size of the archive. */
  readonly bytes: number;
}

const MAX_BACKUP_MS = 86_400_000; // a partial folder older than this belongs to no running backup

/**
 * Writes a consistent snapshot of the embedded installation into one file. A server may run meanwhile. The file appears
 * complete or not at all.
 *
 * @throws ConfigError also if the database is Postgres
 * @throws StartError when the file exists, or the database or secrets.json is damaged
 */
export async function backUp({ file: given, replace, ...options }: BackupOptions): Promise<BackupReport> {
  const config = loadConfig(options);
  refuseServerMode(config, 'pg_dump');
  const file = resolve(given);
  if (!replace && existsSync(file)) throw alreadyExists(given);
  const partial = makeFolder(file);
  try {
    const { changes, tables } = backupStorage.copy(config.dataDir, join(partial, 'sluice.db'));
    const secrets = findSecrets(config).map(({ variable, from }) => ({ variable, from }));
    const kept = secrets.some(({ from }) => from === 'secrets.json')
      ? readFileSync(join(config.dataDir, 'secrets.json'))
      : null;
    const files: BackupManifest['files'] = [await describeDatabase(join(partial, 'sluice.db'))];
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
    const archive = join(partial, 'archive');
    await writeArchive(archive, [
      { name: 'manifest.json', size: text.length, content: [text] },
      ...files.map(({ name, bytes }) => ({
        name,
        size: bytes,
        content: name === 'secrets.json' ? [kept ?? Buffer.alloc(0)] : createReadStream(join(partial, name)),
      })),
    ]);
    giveName(archive, { file, given, replace });
    return { ...about, file, bytes: statSync(file).size };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** A folder beside the file, so that the archive can be renamed into place. Leftovers of killed runs are removed after a day. */
function makeFolder(file: string): string {
  const folder = dirname(file);
  const prefix = `.${basename(file)}.partial-`;
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (!name.startsWith(prefix) || Date.now() - statSync(path).mtimeMs < MAX_BACKUP_MS) continue;
      rmSync(path, { recursive: true, force: true });
    }
    return mkdtempSync(join(folder, prefix));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `The backup cannot be written beside ${file} (${code}): name a folder that this user can write to.`,
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

/** Links the archive to its name, so that of two concurrent backups one is refused. False on a file system without links. */
function hasLinked(archive: string, { file, given }: { file: string; given: string }): boolean {
  try {
    linkSync(archive, file);
    return true;
  } catch (error) {
    if (existsSync(file)) throw alreadyExists(given);
    if (/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function alreadyExists(given: string): StartError {
  return new StartError(`${given} already exists: name another file, or add --yes to replace it.`);
}

interface ArchiveMember {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/**
 * Writes a new `.tar.gz` (mode 0600, as its members) and flushes it to disk.
 *
 * @throws Error also if a member's content does not have its declared size
 */
export async function writeArchive(path: string, members: readonly ArchiveMember[]): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const archive = pack();
  const written = pipeline(archive, createGzip(), file);
  await Promise.all([written, fill(archive, members)]);
}

async function fill(archive: Pack, members: readonly ArchiveMember[]): Promise<void> {
  const mtime = new Date();
  try {
    for (const { name, size, content } of members) {
      await pipeline(Readable.from(content, { objectMode: false }), archive.entry({ name, size, mode: 0o600, mtime }));
    }
    archive.finalize();
  } catch (error) {
    archive.destroy(error as Error);
    throw error;
  }
}
