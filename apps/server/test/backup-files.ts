import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@sluice/db';
import { aNewAttachment, aNewIssue, aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import { loadSecrets } from '../src/keys/secrets.ts';

interface Statement {
  get(): unknown;
}
type Connect = new (file: string) => { prepare(sql: string): Statement; close(): void };
const Sqlite = createRequire(import.meta.resolve('@sluice/db'))('better-sqlite3') as Connect;

/** Longer than a page of the database, with every byte. */
function picture(mark: string): Uint8Array {
  return Buffer.concat([Buffer.from(mark), Buffer.from(Uint8Array.from({ length: 70_000 }, (_, at) => at % 256))]);
}

/** A data folder as a killed server leaves it: the last rows are in the WAL alone. Everything in it says `mark`. */
export async function makeInstallation(mark: string): Promise<string> {
  const made = mkdtempSync(join(tmpdir(), 'sluice-backup-'));
  const left = mkdtempSync(join(tmpdir(), 'sluice-backup-'));
  await using stores = await openSqlite({ dataDir: made, clock: settableClock() });
  const registered = await stores.users.create(aNewUser({ email: `${mark}@example.com` }));
  if (registered.kind !== 'created') throw new Error(registered.kind);
  const userId = registered.user.id;
  const repo = aNewRepo({ userId });
  await stores.repos.create(repo);
  const attachment = aNewAttachment({ userId, mediaType: 'image/png', content: picture(mark) });
  await stores.attachments.put(attachment);
  const issue = aNewIssue({ userId, repoId: repo.id, title: mark, attachments: [attachment.id] });
  await stores.issues.create(issue, { queue: true });
  for (const name of readdirSync(made)) {
    if (name.startsWith('sluice.db')) writeFileSync(join(left, name), readFileSync(join(made, name)));
  }
  rmSync(made, { recursive: true });
  const sessionSecret = `${mark} ${'x'.repeat(40)}`;
  loadSecrets({ dataDir: left, sessionSecret: null, encryptionKeys: null });
  const stored = JSON.parse(readFileSync(join(left, 'secrets.json'), 'utf8')) as object;
  writeFileSync(join(left, 'secrets.json'), JSON.stringify({ ...stored, session_secret: sessionSecret }));
  mkdirSync(join(left, 'workspaces'));
  writeFileSync(join(left, 'workspaces', 'tree'), mark);
  writeFileSync(join(left, 'code-index.db'), mark);
  return left;
}

export interface Found {
  readonly database: string;
  /** Null unless it is whole, byte for byte. */
  readonly attachment: string | null;
  readonly secrets: string;
  readonly trees: string | null;
  /** How many restores its audit log tells of. */
  readonly restores: number;
}

/** What a server finds in a data folder: whose database, whose secrets, whose working trees. */
export async function whatIsIn(dataDir: string): Promise<Found> {
  await (await openSqlite({ dataDir, clock: settableClock() })).close();
  const connection = new Sqlite(join(dataDir, 'sluice.db'));
  const { title } = connection.prepare('select title from issues').get() as { title: string };
  const told = connection.prepare(
    "select count(*) as restores from audit_entries where action = 'installation.restored'",
  );
  const { restores } = told.get() as Pick<Found, 'restores'>;
  const { content } = connection.prepare('select content from attachments where issue_id is not null').get() as {
    content: Buffer;
  };
  const verdict = connection.prepare('pragma integrity_check').get();
  connection.close();
  if (JSON.stringify(verdict) !== '{"integrity_check":"ok"}') throw new Error(JSON.stringify(verdict));
  const { session_secret: secret } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    session_secret: string;
  };
  const tree = join(dataDir, 'workspaces', 'tree');
  return {
    database: title,
    attachment: content.equals(picture(title)) ? title : null,
    secrets: secret.split(' ')[0] ?? '',
    trees: existsSync(tree) ? readFileSync(tree, 'utf8') : null,
    restores,
  };
}

/** Every file of a folder with the hash of its content, except the locks, which any reader creates. */
export function fingerprint(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const hashes = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length), createHash('sha256').update(readFileSync(path)).digest('hex')] as const;
  });
  return Object.fromEntries(hashes.filter(([path]) => path !== '/lock.db' && path !== '/commands.db').toSorted());
}
