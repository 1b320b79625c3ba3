import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { until } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acknowledgeAuditLog, exportAuditLog, verifyAuditLog } from '../src/admin/audit-admin.ts';
import { rotateKeys } from '../src/admin/rotate-keys.ts';
import { backUp } from '../src/storage/backup/back-up.ts';
import { restoreBackup } from '../src/storage/backup/restore-backup.ts';
import { signUp } from './http-session.ts';
import { startScratchServer } from './scratch-server.ts';

type Connect = new (file: string) => { exec(sql: string): void; close(): void };
const Sqlite = createRequire(import.meta.resolve('@sluice/db'))('better-sqlite3') as Connect;

/** The head that the server keeps, once it covers that many entries. */
async function headWith(dataDir: string, entries: number): Promise<void> {
  const read = () => {
    try {
      return (JSON.parse(readFileSync(join(dataDir, 'audit-head.json'), 'utf8')) as { entries: number }).entries;
    } catch {
      return 0;
    }
  };
  await until('the head of the audit log', () => read() >= entries);
}

describe('the audit log of an installation', () => {
  let dataDir: string;
  let removed: () => void;
  const options = () => ({ overrides: { DATA_DIR: dataDir } });
  const tamper = (sql: string) => {
    const database = new Sqlite(join(dataDir, 'sluice.db'));
    database.exec(sql);
    database.close();
  };

  beforeAll(async () => {
    const server = await startScratchServer();
    dataDir = server.dataDir;
    removed = () => rmSync(dataDir, { recursive: true, force: true });
    await signUp(server.url);
    await headWith(dataDir, 2);
    expect(await verifyAuditLog(options())).toMatchObject({ intact: true, unsealed: { entries: 0 } }); // while it runs
    expect(readFileSync(join(dataDir, 'sluice.log'), 'utf8')).not.toContain('Nothing is sealed');
    await server.close();
  });
  afterAll(() => removed());

  it('is exported with its seals, and the export can be checked without the database', async () => {
    const lines: string[] = [];
    for await (const line of exportAuditLog(options())) lines.push(line);
    const file = join(dataDir, 'audit.jsonl');
    const head = join(dataDir, 'audit-head.json');
    writeFileSync(file, lines.join('\n'));
    expect(await verifyAuditLog({ ...options(), file, head })).toMatchObject({ intact: true });
    writeFileSync(file, lines.join('\n').replace('account.registered', 'account.disabled'));
    expect((await verifyAuditLog({ ...options(), file })).findings).toMatchObject([{ kind: 'entries_changed' }]);
    writeFileSync(file, lines[0] ?? '');
    expect((await verifyAuditLog({ ...options(), file, head })).intact).toBe(false);
    writeFileSync(file, '{"type":"other"}');
    await expect(verifyAuditLog({ ...options(), file })).rejects.toThrow(/Line 1 of .* is not a line of an export/);
    const some: string[] = [];
    for await (const line of exportAuditLog({ ...options(), filter: { action: 'account.registered' } }))
      some.push(line);
    expect(some.map((line) => JSON.parse(line))).toMatchObject([{ type: 'entry', action: 'account.registered' }]);
  });

  it('goes over to a new key, and is found intact without the old one', async () => {
    const { encryption_keys: keys } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
      encryption_keys: { id: string; key: string }[];
    };
    const old = keys.map(({ id, key }) => `${id}:${key}`).join();
    const fresh = `fresh:${Buffer.alloc(32, 7).toString('base64')}`;
    const under = (ENCRYPTION_KEYS: string) => ({ overrides: { DATA_DIR: dataDir, ENCRYPTION_KEYS } });
    expect((await verifyAuditLog(under(fresh))).findings).toMatchObject([{ kind: 'key_missing' }]);
    expect(await rotateKeys(under(`${fresh},${old}`))).toMatchObject({ audit_refused: null });
    expect(await verifyAuditLog(under(fresh))).toMatchObject({ intact: true });
    await rotateKeys(under(`${old},${fresh}`)); // and back, for the next tests
  });

  it('is older than its head after a restore, which says so itself', async () => {
    const file = join(dataDir, 'a-backup');
    await backUp({ ...options(), file, replace: false });
    await using server = await startScratchServer({}, dataDir);
    await signUp(server.url);
    const { last } = await verifyAuditLog(options());
    await headWith(dataDir, (last?.entries ?? 0) + 2);
    await server.close();
    const { number } = (await verifyAuditLog(options())).last ?? { number: 0 };
    const kept = join(dataDir, 'kept-elsewhere.json');
    writeFileSync(kept, readFileSync(join(dataDir, 'audit-head.json')));
    await restoreBackup({ ...options(), file, confirmReplace: async () => undefined });
    const verdict = await verifyAuditLog({ ...options(), head: kept });
    expect(verdict).toMatchObject({ intact: true, last: { number: number + 1 }, unsealed: { entries: 0 } });
    expect(verdict.put_back).toHaveLength(1);

    // The same without a word: an old file in place of the newer one.
    tamper(`delete from audit_seals where number > ${number}`);
    const cut = await verifyAuditLog(options());
    expect(cut.findings).toMatchObject([{ kind: 'cut_off' }]);
    expect(await rotateKeys(options())).toMatchObject({
      audit_refused: expect.stringMatching(/^The audit log .* ends/),
    });
    const { head } = await acknowledgeAuditLog(options());
    expect(head.number).toBe(number + 2);
    expect(await verifyAuditLog(options())).toMatchObject({ intact: true, unsealed: { entries: 0 } });
  });
});
