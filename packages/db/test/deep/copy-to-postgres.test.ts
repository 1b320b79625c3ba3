import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MAX_ATTACHMENT_BYTES } from '@sluice/core/attachment';
import {
  aNewIssue,
  aNewRepo,
  aNewUser,
  isSoakRun,
  type PostgresDatabases,
  settableClock,
  sharedPostgres,
} from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tablesToCopy } from '../../src/copy/table-to-copy.ts';
import { readMigrations } from '../../src/engine/migrations.ts';
import { copyToPostgres, openPostgres, openSqlite, upgradeDatabase } from '../../src/index.ts';
import { migrateSqlite } from '../../src/sqlite/migrate-sqlite.ts';
import { nameOf } from '../pg-schema.ts';

// Usual way: packages/db/test/copy-database.test.ts

const script = fileURLToPath(new URL('../copy-and-die.ts', import.meta.url));
const clock = settableClock();
const applicationName = 'sluice-test';
const tables = tablesToCopy().map(({ name }) => name);

/** What text, numbers, JSON and bytes can hold that engines treat differently. */
const ODD_ROWS = `
  update users set name = 'Zoë 𝒳 你好 e\u0301 ' || char(9, 10, 13, 92, 39) || '\u2028', avatar_url = '' where email = 'ada@example.test';
  update repos set settings = '{"b":{"z":1,"a":[1.50,1e21,5e-324,-0,true,null,""]},"10":"x","9":"\\ud83d\\ude00","":0}',
    access_token = '{"encrypted":"1:AA==","nonce":"BB=="}', code_index = '{"commit":"c","files":1}';
  update issues set input_tokens = 9007199254740991, output_tokens = 4294967296, cost_usd = 0.1 + 0.2, lease_owner = 'me',
    lease_expires_at = 1795166100123, run_after = 1795166100123, labels = '["\\u2028","a\\"b"]' where slot is not null;
  update events set data = json_object('text', 'nul: ' || char(0) || ' gone') where seq = 2;
  update issues set codehost_number = 7, codehost_comment_id = 'issue-1', change_request_number = 9, change_request_state = 'draft'
    where slot is not null;
  insert into codehost_grants select id, '1:AA==', 'BB==', 1795166100123, 3, 1, 1795166100000 from users;
  insert into codehost_deliveries values ('d-1', 1795166100123);
  insert into codehost_inbox (codehost_repo_id, kind, number, mark, marked_at, run_after, owner, held_until, failures) values
    ('41', 'issue', 7, 3, 1795166100123, 1795166100123, 'me', 1795166100123, 2), ('41', 'issue', 8, 1, 0, null, null, null, 0);
  insert into codehost_sites values (1, 'https://host.test', 1795166100123);
  insert into installation values (1, '0a1b2c3d');
  insert into codehost_polls values ('41', 'W/"e-1"', 1795166100123);
  insert into codehost_removals select id, '#7', 1795166100123 from repos;
  insert into change_requests (repo_id, number, issue_id, opened_at, state, closed_at, close_asked_at, close_reason, close_note, close_answered_by, close_answered_at, models, at_first_sight, updated_at)
    select repo_id, 9, id, 1795166100123, 'closed', 1795166100124, 1795166100124, 'other', 'Zoë 𝒳', user_id, 1795166100125, '["a model"]', 1, 1795166100123 from issues limit 1;
  insert into audit_entries (user_id, actor, session_id, action, subject_id, detail, at)
    select id, 'operator', null, 'account.disabled', null, '{"sessions_ended":1}', 1795166100123 from users;
  insert into audit_seals values (3, 1, 'Zoë', 4, 9007199254740991, 2, 4294967296, 'd', 'k', 1795166100123, 'm');
  insert into repo_members select repos.id, users.id, 'approver', 'added', 1795166100123, 1795166100124 from repos, users limit 1;
  insert into budgets select 'user', id, 0.1 + 0.2, 9007199254740991, 1795166100123 from users;
  insert into spending select '2026-11', 'user', id, 9007199254740991, 7, 0.1 + 0.2, 3, 1, 1 from users;
  insert into estimates
    select id, 1, 1795166100123, 3, '{"history":0,"coverage":{"of":0,"held":0}}', 0.1 + 0.2, 9007199254740991, 1795166100124, null, 7 from issues limit 1;
  insert into api_tokens (id, user_id, repo_id, name, scope, hash, hint, created_at, expires_at, last_used_at, last_client)
    select 'k-1', user_id, id, 'Zoë 𝒳', 'write', 'hash', 'k3Xz', 1795166100123, 1795166100124, 1795166100125, 'curl' from repos limit 1;
  insert into invitations (id, token_hash, email, email_key, user_id, repo_id, role, created_at, expires_at)
    select 'v-1', 'hash', 'Zoë@example.test', 'zoë@example.test', user_id, id, 'viewer', 1795166100123, 1795166100124 from repos limit 1;
  insert into failed_logins select id, '2026-11-20', 7 from users;
  insert into codehost_flows values ('n-1', 1795166100123);
  insert into login_grants (grant_hash, challenge, user_id, expires_at) select 'h-1', 'c', id, 1795166100123 from users limit 1;
  insert into oidc_identities select 'https://id.test', 'sub 𝒳', id, 1, 1795166100123, 1795166100124 from users limit 1;
  insert into oidc_logout_tokens values ('https://id.test', 'jti', 1795166100123);
  insert into account_links select 'l-1', id, 'password_reset', 'ada@example.test', 1795166100123, 1795166100124 from users limit 1;
  insert into login_challenges select 'c-1', id, 'login', 'd', null, null, 0, 0, 1795166100123, 1795166100123 from users limit 1;
  insert into recovery_codes select id, 'h-1', 1795166100123 from users;
  insert into second_factors (id, user_id, kind, name, credential_id, public_key, counter, transports, created_at)
    select 'f-1', id, 'passkey', 'Zoë 𝒳', 'c', 'k', 4294967295, '["usb"]', 1795166100123 from users limit 1;
  insert into second_factors (id, user_id, kind, name, secret_encrypted, secret_nonce, last_step, created_at, last_used_at)
    select 'f-2', id, 'totp', 'Phone', '1:AA==', 'BB==', 59838870, 1795166100123, 1795166100124 from users limit 1;
  insert into notification_targets (id, user_id, channel, url, format, events, repo_id, created_at, updated_at)
    select 't-1', user_id, 'webhook', 'https://hooks.test/a', 'standard', '["gate.opened"]', id, 0, 0 from repos limit 1;
  insert into notification_secrets (id, target_id, encrypted, nonce, created_at) values ('s-1', 't-1', '1:AA==', 'BB==', 0);
  insert into notification_deliveries (id, message_id, target_id, issue_id, notification, status, attempts, next_attempt_at, owner, held_until, created_at)
    select 'd-1', 'msg_d-1', 't-1', id, '{"type":"gate.opened"}', 'pending', 1, 1795166100123, 'me', 1795166100123, 0 from issues limit 1;
  insert into checkpoints (issue_id, kind, "commit", object, patch, updated_at)
    select id, 'round', 'c', 'o', cast(x'00ff00010d0a' || randomblob(100000) as blob), 0 from issues limit 1;
  insert into attachments (id, user_id, issue_id, name, media_type, bytes, width, height, created_at, expires_at, content)
    select 'a-1', user_id, id, 'Zoë 𝒳.png', 'image/png', 300007, 20, 10, 1795166100123, null, cast(x'00ff00010d0a5c' || randomblob(300000) as blob) from issues limit 1;
  insert into attachments (id, user_id, name, media_type, bytes, created_at, expires_at, content)
    select 'a-2', user_id, '', 'text/plain', 1, 1795166100123, 1795252500123, x'5c' from issues limit 1;
  insert into events (ordinal, issue_id, seq, type, data, at)
    with recursive n(n) as (select 3 union all select n + 1 from n where n < 2000)
    select 1000 + n, (select min(id) from issues), n, 'user.message', '{"text":"x"}', n from n;
  insert into events (ordinal, issue_id, seq, type, data, at)
    select 500000, min(id), 2001, 'user.message', '{}', 0 from issues;
  delete from events where ordinal = 500000;
  update events set user_id = (select user_id from issues where id = issue_id);`;

describe('a copy of an embedded installation to Postgres', () => {
  let server: PostgresDatabases;
  let dataDir: string;
  const target = () => server.createDatabase();
  const copy = (url: string, options: Partial<Parameters<typeof copyToPostgres>[0]> = {}) =>
    copyToPostgres({ dataDir, url, applicationName, ...options });
  const inPostgres = (url: string, sql: string) => server.query(sql, nameOf(url));

  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-copy-'));
    const database = new Sqlite(join(dataDir, 'sluice.db'));
    migrateSqlite(database, readMigrations('sqlite').slice(0, 1)); // of an older release: the copy brings it up to date
    database.exec(readFileSync(new URL('../first-schema-rows.sql', import.meta.url), 'utf8'));
    migrateSqlite(database, readMigrations('sqlite'));
    database.exec(ODD_ROWS);
    database.close();
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('holds every row of every table, and says so table by table', async () => {
    const url = await target();
    const steps: string[] = [];
    const report = await copy(url, { onTable: ({ name }, step) => void steps.push(`${name} ${step}`) });
    expect(report.alreadyThere).toBe(false);
    expect(report.tables.map(({ name }) => name).toSorted()).toEqual(tables.toSorted());
    expect(steps).toEqual([...tables.map((name) => `${name} written`), ...tables.map((name) => `${name} verified`)]);
    const source = new Sqlite(join(dataDir, 'sluice.db'), { readonly: true });
    for (const { name, rows, hash } of report.tables) {
      expect(rows, name).toBeGreaterThan(0);
      expect(rows, name).toBe(source.prepare(`select count(*) from "${name}"`).pluck().get());
      expect(await inPostgres(url, `select count(*)::int as rows from "${name}"`)).toEqual([{ rows }]);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
    }
    source.close();
  });

  it('keeps odd values as they are', async () => {
    const url = await target();
    await copy(url);
    const [user] = await inPostgres(url, `select name, avatar_url from users where email = 'ada@example.test'`);
    expect(user).toEqual({ name: `Zoë 𝒳 你好 e\u0301 \t\n\r\\'\u2028`, avatar_url: '' });
    const [repo] = await inPostgres(url, 'select settings, access_token from repos');
    expect(repo).toEqual({
      settings: { b: { z: 1, a: [1.5, 1e21, 5e-324, 0, true, null, ''] }, 10: 'x', 9: '😀', '': 0 },
      access_token: { encrypted: '1:AA==', nonce: 'BB==' },
    });
    const [issue] = await inPostgres(
      url,
      'select input_tokens, output_tokens, cost_usd, labels from issues where slot = 2',
    );
    expect(issue).toEqual({
      input_tokens: '9007199254740991',
      output_tokens: '4294967296',
      cost_usd: 0.1 + 0.2,
      labels: ['\u2028', 'a"b'],
    });
    expect(await inPostgres(url, `select data from events where seq = 2 and data->>'text' like 'nul%'`)).toContainEqual(
      {
        data: { text: 'nul:  gone' },
      },
    );
    expect(await inPostgres(url, 'select cursor, due_at from codehost_polls')).toEqual([
      { cursor: 'W/"e-1"', due_at: new Date(1795166100123) },
    ]);
    const source = new Sqlite(join(dataDir, 'sluice.db'), { readonly: true });
    for (const bytes of ['select patch from checkpoints', 'select content from attachments order by id']) {
      const found = (await inPostgres(url, bytes)).flatMap((row) => Object.values(row));
      expect(found).toEqual(source.prepare(bytes).pluck().all());
    }
    source.close();
    expect(
      await inPostgres(url, 'select name, issue_id is null as unused, expires_at from attachments order by id'),
    ).toEqual([
      { name: 'Zoë 𝒳.png', unused: false, expires_at: null },
      { name: '', unused: true, expires_at: new Date(1795252500123) },
    ]);
  });

  it('ends leases, and leaves out what the host has built for itself', async () => {
    const url = await target();
    await copy(url);
    const held =
      'select from issues where lease_owner is not null or lease_expires_at is not null or run_after is not null';
    expect(await inPostgres(url, held)).toEqual([]);
    const inbox = 'select number, mark, owner, held_until, failures, run_after is null as settled from codehost_inbox';
    expect(await inPostgres(url, `${inbox} order by number`)).toEqual([
      { number: 7, mark: 3, owner: null, held_until: null, failures: 2, settled: false },
      { number: 8, mark: 1, owner: null, held_until: null, failures: 0, settled: true },
    ]);
    expect(await inPostgres(url, 'select code_index from repos')).toEqual([{ code_index: null }]);
    await using stores = await openPostgres({ url, applicationName, clock });
    const [issueId] = await stores.runs.claimable(10);
    expect(issueId).toBeDefined();
    expect(await stores.runs.claim(issueId as never, { owner: 'new', ttlMs: 1_000 })).toMatchObject({
      lease: { epoch: 4 },
    });
  });

  it('leaves behind the sign-ins that are under way, which are begun again', async () => {
    const url = await target();
    await copy(url);
    for (const table of ['codehost_flows', 'login_grants']) {
      expect(tables).not.toContain(table);
      expect(await inPostgres(url, `select from ${table}`)).toEqual([]);
    }
  });

  it('continues the identity columns after their last number', async () => {
    const url = await target();
    await copy(url);
    await using stores = await openPostgres({ url, applicationName, clock });
    const registered = await stores.users.create(aNewUser());
    if (registered.kind !== 'created') throw new Error(registered.kind);
    const repo = aNewRepo({ userId: registered.user.id });
    await stores.repos.create(repo);
    await stores.issues.create(aNewIssue({ userId: registered.user.id, repoId: repo.id }), { queue: true });
    expect(await inPostgres(url, 'select min(ordinal)::int as first from events where ordinal > 3000')).toEqual([
      { first: 500_001 },
    ]);
    expect(await inPostgres(url, 'select max(ordinal)::int as last from issues')).toEqual([{ last: 3 }]);
  });

  it('is recognized by a second run, which writes nothing', async () => {
    const url = await target();
    const { tables: copied } = await copy(url);
    await (await openPostgres({ url, applicationName, clock, maxActivePipelines: 7 })).close();
    const again = await copy(url);
    expect(again.alreadyThere).toBe(true);
    expect(again.tables.filter(({ name }) => name !== 'slots')).toEqual(copied.filter(({ name }) => name !== 'slots'));
    expect(await inPostgres(url, 'select count(*)::int as n from slots')).toEqual([{ n: 7 }]);
  });

  it('replaces the slots that a server created on the empty target', async () => {
    const url = await target();
    await using _ = await openPostgres({ url, applicationName, clock, maxActivePipelines: 7 });
    expect((await copy(url)).alreadyThere).toBe(false);
    expect(await inPostgres(url, 'select count(*)::int as n from slots')).toEqual([{ n: 2 }]);
  });

  it('replaces the code host that a server stored on the empty target', async () => {
    const url = await target();
    await using stores = await openPostgres({ url, applicationName, clock });
    await stores.codehostSite.claim('https://another.test');
    expect((await copy(url)).alreadyThere).toBe(false);
    expect(await stores.codehostSite.claim('https://another.test')).toBe('https://host.test');
    expect((await copy(url)).alreadyThere).toBe(true);
  });

  it('leaves nothing after a failure at any step, and can be repeated', async () => {
    const url = await target();
    for (let last = 1; last <= 2 * tables.length; last += isSoakRun ? 1 : 41) {
      let step = 0;
      const failing = copy(url, {
        onTable: () => {
          step += 1;
          if (step === last) throw new Error(`step ${last}`);
        },
      });
      await expect(failing).rejects.toThrow(`step ${last}`);
      expect(
        await inPostgres(url, 'select (select count(*) from users)::int + (select count(*) from slots)::int as n'),
      ).toEqual([{ n: 0 }]);
    }
    expect(existsSync(join(dataDir, 'moved-to-postgres.txt'))).toBe(false);
    expect((await copy(url)).alreadyThere).toBe(false);
  });

  it.each(isSoakRun ? [1, 7, tables.length, tables.length + 5, 2 * tables.length] : [7, tables.length + 5])(
    'is completed by the next process after a kill at step %s',
    async (last) => {
      const url = await target();
      const ended = await new Promise((resolve) => {
        execFile(process.execPath, [script, dataDir, url, String(last)], (error, _out, said) =>
          resolve({ signal: error?.signal, said }),
        );
      });
      expect(ended).toEqual({ signal: 'SIGKILL', said: '' });
      const report = await copy(url);
      expect(report.alreadyThere).toBe(false);
      expect(report.tables.map(({ name }) => name)).toEqual(tables);
    },
  );

  it.runIf(isSoakRun)('holds few of the largest files in memory at once, however many there are', async () => {
    const [files, bytes] = [60, MAX_ATTACHMENT_BYTES];
    const database = new Sqlite(join(dataDir, 'sluice.db'));
    const add =
      database.prepare(`insert into attachments (id, user_id, issue_id, name, media_type, bytes, created_at, content)
      select ?, user_id, id, 'server.log', 'text/plain', ?, 0, ? from issues limit 1`);
    for (let n = 0; n < files; n += 1) add.run(`large-${n}`, bytes, randomBytes(bytes));
    database.close();
    const url = await target();
    // A small heap, so that what is garbage is collected and the peak is what is held.
    const command = ['--max-old-space-size=128', script, dataDir, url, '0'];
    const { stdout } = await promisify(execFile)(process.execPath, command);
    const peak = Number(stdout) * 1_024;
    console.log(`${files} files of ${bytes} bytes: ${Math.round(peak / 1_048_576)} MiB at the peak`);
    expect(peak).toBeLessThan(40 * bytes);
    expect(
      await inPostgres(url, 'select sum(length(content))::bigint as bytes from attachments where issue_id is not null'),
    ).toEqual([{ bytes: `${files * bytes + 300_007}` }]);
  });

  it('is rolled back when the connection is lost, and can be repeated', async () => {
    const url = await target();
    await upgradeDatabase({ url, applicationName }, { dryRun: false });
    const cut = `create function cut() returns trigger language plpgsql as 'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`;
    await inPostgres(url, `${cut}; create trigger cut before insert on events for each row execute function cut()`);
    await expect(copy(url)).rejects.toMatchObject({ reason: 'unreachable' });
    await inPostgres(url, 'drop trigger cut on events');
    expect((await copy(url)).alreadyThere).toBe(false);
  });

  it('is rolled back when the rows read back differently', async () => {
    const url = await target();
    await upgradeDatabase({ url, applicationName }, { dryRun: false });
    const bend = `create function bend() returns trigger language plpgsql as $$ begin new.title = new.title || '!'; return new; end $$`;
    await inPostgres(url, `${bend}; create trigger bend before insert on issues for each row execute function bend()`);
    await expect(copy(url)).rejects.toMatchObject({
      reason: 'damaged',
      message: expect.stringMatching(/"issues" reads back differently/),
    });
    expect(await inPostgres(url, 'select from users')).toEqual([]);
  });

  it('names the table whose row Postgres rejects', async () => {
    const url = await target();
    const database = new Sqlite(join(dataDir, 'sluice.db'));
    database.exec('update plans set revision = 3000000000');
    database.close();
    await expect(copy(url)).rejects.toMatchObject({
      reason: 'damaged',
      message: expect.stringMatching(/row of "plans" \(.*out of range.*Nothing was copied/),
    });
    expect(await inPostgres(url, 'select from users')).toEqual([]);
  });

  describe('is refused', () => {
    it('while a server runs on the data folder', async () => {
      await using _ = await openSqlite({ dataDir, clock });
      await expect(copy(await target())).rejects.toMatchObject({ reason: 'in_use' });
    });

    it('from a folder without a database', async () => {
      await expect(copy(await target(), { dataDir: join(dataDir, 'none') })).rejects.toMatchObject({
        reason: 'unreachable',
        message: expect.stringMatching(/no embedded database/),
      });
    });

    it.each(['create table accounts (n integer)', 'create table migrations (id integer, migration text)'])(
      'into a database of another program: %s',
      async (sql) => {
        const url = await target();
        await inPostgres(url, sql);
        await expect(copy(url)).rejects.toMatchObject({
          reason: 'occupied',
          message: expect.stringMatching(/tables of another application/),
        });
        expect(await inPostgres(url, `select to_regclass('users') as users`)).toEqual([{ users: null }]);
      },
    );

    it('into a database with the data of another installation, which stays unchanged', async () => {
      const url = await target();
      await using stores = await openPostgres({ url, applicationName, clock });
      await stores.users.create(aNewUser());
      await expect(copy(url)).rejects.toMatchObject({
        reason: 'occupied',
        message: expect.stringMatching(/already holds other data/),
      });
      expect(await inPostgres(url, 'select count(*)::int as n from users')).toEqual([{ n: 1 }]);
    });

    it('when the target cannot be reached', async () => {
      await expect(copy('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({ reason: 'unreachable' });
    });
  });

  it('refuses a target that another process keeps writing to', async () => {
    const url = await target();
    await upgradeDatabase({ url, applicationName }, { dryRun: false });
    const writer = new Client(url);
    await writer.connect();
    await writer.query('begin; lock table issues in row exclusive mode');
    await expect(copy(url)).rejects.toMatchObject({
      reason: 'in_use',
      message: expect.stringMatching(/Stop the servers/),
    });
    await writer.end();
  });

  it('marks the folder so that no server starts on it by mistake', async () => {
    await copy(await target());
    await expect(openSqlite({ dataDir, clock })).rejects.toMatchObject({
      reason: 'moved',
      message: expect.stringMatching(/set DATABASE_URL, or remove moved-to-postgres.txt/),
    });
    rmSync(join(dataDir, 'moved-to-postgres.txt'));
    await (await openSqlite({ dataDir, clock })).close();
  });
});
