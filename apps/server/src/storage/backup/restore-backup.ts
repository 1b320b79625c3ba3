import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { acknowledgeAudit } from '@sluice/core/audit';
import { extract } from 'tar-stream';
import manifest from '../../../package.json' with { type: 'json' };
import { AUDIT_HEAD_FILE, auditHeadFile, readAuditHead } from '../../audit/audit-head-file.ts';
import { auditKeysOf } from '../../audit/audit-keys.ts';
import { backupStorage } from '../../compose/backup-storage.ts';
import { holdWorkspacesDir, isDefaultWorkspacesDir } from '../../compose/hold-workspaces-dir.ts';
import { openAdminStores } from '../../compose/open-admin-stores.ts';
import { type LoadConfigOptions, loadConfig } from '../../config/load-config.ts';
import type { Config } from '../../config/parse-config.ts';
import { loadSecrets } from '../../keys/secrets.ts';
import { StartError } from '../../process/start-error.ts';
import { BACKUP_FORMAT, type BackupManifest, backupManifest } from './backup-manifest.ts';
import { refuseServerMode } from './refuse-server-mode.ts';

export interface RestoreOptions extends LoadConfigOptions {
  readonly file: string;
  /** Called after the backup was verified if it would replace an installation; throws to keep that. */
  readonly confirmReplace: (found: { readonly dataDir: string; readonly backup: BackupManifest }) => Promise<void>;
}

export interface RestoreReport extends BackupManifest {
  readonly data_dir: string;
  /** The folder with the previous installation; null if there was none. */
  readonly kept: string | null;
}

const MAX_MANIFEST_BYTES = 1_000_000;

/**
 * Replaces the contents of the data folder by a backup; no server may use the folder. The folder is unchanged until the
 * whole backup has been unpacked beside it and verified.
 *
 * @throws ConfigError also if the database is Postgres
 * @throws StartError when the backup is damaged or of a newer version, or a process uses the folder
 */
export async function restoreBackup({
  file: given,
  confirmReplace,
  ...options
}: RestoreOptions): Promise<RestoreReport> {
  const config = loadConfig(options);
  refuseServerMode(config, 'pg_restore');
  const file = resolve(given);
  if (!existsSync(file)) throw new StartError(`The backup ${given} does not exist.`);
  await readManifest(file); // before the data folder is created
  return await putBack(file, { config, confirmReplace });
}

async function putBack(
  file: string,
  { config, confirmReplace }: { config: Config } & Pick<RestoreOptions, 'confirmReplace'>,
): Promise<RestoreReport> {
  const { dataDir } = config;
  const target = backupStorage.openTarget(dataDir);
  try {
    const backup = await unpack(file, target.staging);
    if (target.isOccupied) await confirmReplace({ dataDir, backup });
    await noteRestore(target.staging, { backup, config });
    if (!isDefaultWorkspacesDir(config)) await emptyWorkspaces(config);
    const kept = backupStorage.put(target);
    return { ...backup, data_dir: dataDir, kept: kept === null ? null : join(dataDir, kept) };
  } finally {
    target.close();
  }
}

/** Runs before the database is replaced: working trees can be rebuilt, but must never be newer than their database. */
async function emptyWorkspaces(config: Config): Promise<void> {
  const workspaces = await holdWorkspacesDir(config);
  try {
    await workspaces.empty();
  } finally {
    workspaces.release();
  }
}

/**
 * Migrates the unpacked database and records the restore in it, so that both take effect together. The new seal says that
 * the later ones are missing on purpose; the folder's head is replaced with the database.
 */
async function noteRestore(
  folder: string,
  { backup, config }: { readonly backup: BackupManifest; readonly config: Config },
): Promise<void> {
  await using stores = await openAdminStores({ databaseUrl: null, dataDir: folder });
  const detail = { backup_of: backup.created_at, by_version: manifest.version };
  // What is written from here on has numbers that other events had: see `EventLog.epoch`.
  await stores.eventLog.beginEpoch();
  await stores.audit.note({ action: 'installation.restored', detail });
  const known = await readAuditHead(join(config.dataDir, AUDIT_HEAD_FILE)).catch(() => null);
  // A backup without secrets leaves those of the folder in place.
  const dataDir = existsSync(join(folder, 'secrets.json')) ? folder : config.dataDir;
  const { encryptionKeys } = loadSecrets({ ...config, dataDir });
  const sealing = {
    store: stores.auditSeals,
    keys: auditKeysOf(encryptionKeys),
    heads: auditHeadFile(folder),
    clock: { now: () => new Date() },
    onSealed: () => undefined,
    onRefused: () => undefined,
  };
  await acknowledgeAudit(sealing, known);
}

/** Reads the whole archive: its checksum is at the end. */
async function readManifest(file: string): Promise<void> {
  await whole(async () => {
    let text: Buffer | null = null;
    for await (const member of readArchive(file)) {
      if (text === null) text = await manifestOf(member);
      else for await (const _part of member.content);
    }
    if (text === null) throw new DamagedArchive('it is empty');
    parseManifest(text);
  });
}

/** Unpacks a backup into a folder and verifies it against the manifest. */
async function unpack(file: string, folder: string): Promise<BackupManifest> {
  return await whole(async () => {
    let backup: BackupManifest | null = null;
    let read = 0;
    for await (const member of readArchive(file)) {
      if (backup === null) {
        backup = parseManifest(await manifestOf(member));
        continue;
      }
      const expected = backup.files[read];
      read += 1;
      if (expected?.name !== member.name || expected.bytes !== member.size) throw new DamagedArchive('unexpected file');
      const hash = createHash('sha256');
      const target = createWriteStream(join(folder, member.name), { flags: 'wx', mode: 0o600 });
      await pipeline(member.content, hashed(hash), target);
      if (hash.digest('hex') !== expected.sha256) throw new DamagedArchive('wrong checksum');
    }
    if (backup === null || read < backup.files.length) throw new DamagedArchive('files are missing');
    const { tables } = backupStorage.inspect(join(folder, 'sluice.db'));
    if (!isDeepStrictEqual(tables, backup.tables)) throw new DamagedArchive('wrong number of rows');
    return backup;
  });
}

function hashed(hash: ReturnType<typeof createHash>) {
  return async function* (content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of content) {
      hash.update(chunk);
      yield chunk;
    }
  };
}

async function manifestOf({ name, size, content }: ReadMember): Promise<Buffer> {
  if (name !== 'manifest.json' || size > MAX_MANIFEST_BYTES) throw new DamagedArchive('no manifest');
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parseManifest(text: Buffer): BackupManifest {
  const json: unknown = parseJson(text.toString());
  const { format, sluice_version: version } = (json ?? {}) as { format?: unknown; sluice_version?: unknown };
  if (typeof format === 'number' && format > BACKUP_FORMAT) {
    throw new StartError(`The backup was made by a newer Sluice (${String(version)}): restore it with that version.`);
  }
  const parsed = backupManifest.safeParse(json);
  if (!parsed.success) throw new DamagedArchive('no manifest');
  backupStorage.refuseNewer(parsed.data.changes);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function whole<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DamagedArchive)) throw error;
    const detail = `The backup is damaged or incomplete (${error.message}). Nothing was changed. Use another backup.`;
    throw new StartError(detail, { cause: error });
  }
}

/** A file of an archive. Read its content to the end before the next one. */
interface ReadMember {
  /** The name in the archive: untrusted. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** An archive that `writeArchive` did not write, or that is incomplete. */
export class DamagedArchive extends Error {}

/**
 * Reads an archive of `writeArchive` file by file, as a stream.
 *
 * @throws DamagedArchive when the archive is truncated or was changed
 */
export async function* readArchive(path: string): AsyncIterable<ReadMember> {
  const members = extract();
  const read = pipeline(createReadStream(path), createGunzip(), members);
  read.catch(() => undefined); // the reader of the members gets the error
  try {
    for await (const content of orDamaged(members)) {
      const { name, size, type } = content.header;
      if (type !== 'file' || size === undefined) throw new DamagedArchive('it contains an entry that is not a file');
      yield { name, size, content: orDamaged<Buffer>(content) };
    }
    await read.catch(throwDamaged); // zlib compares the checksum only at the end
  } finally {
    members.destroy();
  }
}

async function* orDamaged<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* source;
  } catch (error) {
    throwDamaged(error);
  }
}

/** Errors of zlib and tar mean a damaged archive; errors of system calls are passed on. */
function throwDamaged(error: unknown): never {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
  throw new DamagedArchive(error.message, { cause: error });
}
