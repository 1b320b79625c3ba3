import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { isSoakRun, type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anIssueAtGate } from '../an-issue.ts';
import { type HttpSession, signUp } from '../http-session.ts';
import { sluice } from '../move-up-scene.ts';
import { makeBuggyRepo, type ScratchRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';
import { startProcess } from '../service-process.ts';

// Usual way: apps/server/test/move-up.test.ts

const approve = { action: 'approve' };

let postgres: PostgresDatabases;

beforeAll(async () => {
  postgres = await sharedPostgres();
});

afterAll(() => postgres[Symbol.asyncDispose]());

const createIssue = async (person: HttpSession, repo: ScratchRepo) => (await anIssueAtGate(person, { repo })).id;

const storyOf = async (person: HttpSession, id: string) => (await person.events(id)).filter((event) => 'seq' in event);

describe('an embedded installation that moves to Postgres', () => {
  it('is copied by one command, and continues there with its users, history and issues', async () => {
    const url = await postgres.createDatabase();
    const slow = `sleep 3; grep -qx fixed value.txt || { echo 'not ok 1 - fixed'; exit 1; }; echo 'ok 1 - fixed'\n`;
    const repos = { done: makeBuggyRepo(), waiting: makeBuggyRepo(), running: makeBuggyRepo({ testScript: slow }) };

    const embedded = await startProcess({});
    const person = await signUp(embedded.url);
    const done = await createIssue(person, repos.done);
    await person.call('POST', `/api/issues/${done}/approve`, approve);
    await person.reaches(done, 'completed');
    const story = await storyOf(person, done);
    const waiting = await createIssue(person, repos.waiting);
    const running = await createIssue(person, repos.running);
    await person.call('POST', `/api/issues/${running}/approve`, approve);
    await person.events(running, ({ type }) => type === 'command.started');

    const { dataDir } = embedded;
    const environment = { DATA_DIR: dataDir, HOME: dataDir };
    const refused = await sluice(['migrate-to', url], environment);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^sluice: Another Sluice process uses this data folder/);
    const stored = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
      session_secret: string;
      encryption_keys: { id: string; key: string }[];
    };
    await embedded.stop();

    const moved = await sluice(['migrate-to', url], environment);
    expect(moved, moved.stderr).toMatchObject({ code: 0 });
    expect(moved.stdout).toMatch(/^table +rows +hash.*\n(.*\n)*issues +3 +[0-9a-f]{16}\n/);
    expect(moved.stderr).toMatch(/written events \(\d+\)\n/);
    expect(moved.stderr).toMatch(/SESSION_SECRET +in .*secrets\.json/);
    expect(moved.stderr).toMatch(/Not copied: the code index/);
    for (const secret of [stored.session_secret, ...stored.encryption_keys.map(({ key }) => key)]) {
      expect(`${moved.stdout}${moved.stderr}`).not.toContain(secret);
    }

    const again = await sluice(['migrate-to', url, '--show-secrets'], environment);
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(again.stderr).toMatch(/already held all rows: nothing was written/);
    const secrets = parseEnv(again.stdout) as Record<string, string>;
    expect(secrets).toEqual({
      SESSION_SECRET: stored.session_secret,
      ENCRYPTION_KEYS: stored.encryption_keys.map(({ id, key }) => `${id}:${key}`).join(','),
    });

    const shared = await startProcess({ DATABASE_URL: url, ...secrets });
    try {
      const there = person.at(shared.url);
      expect((await there.call('GET', '/api/auth/me')).status).toBe(200); // by the cookie of before
      expect(await storyOf(there, done)).toEqual(story);
      expect((await there.call('POST', `/api/issues/${waiting}/approve`, approve)).status).toBe(200);
      for (const [id, repo] of [
        [waiting, repos.waiting],
        [running, repos.running],
      ] as const) {
        const { result } = await there.reaches(id, 'completed');
        expect(repo.git('branch', '--list', 'sluice/*', '--format=%(refname:short)')).toBe(result?.branch);
        expect(repo.git('show', `${result?.branch}:value.txt`)).toBe('fixed');
        const numbers = (await storyOf(there, id)).map((event) => ('seq' in event ? event.seq : 0));
        expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
      }
    } finally {
      await shared.stop();
    }

    const used = await sluice(['migrate-to', url], environment);
    expect(used).toMatchObject({ code: 1, stdout: '' });
    expect(used.stderr).toMatch(/^sluice: The target database already holds other data/);
    await expect(startScratchServer({}, dataDir)).rejects.toThrow(/moved to Postgres: set DATABASE_URL/);
  });
});

describe('sluice migrate', () => {
  it('lists and applies migrations on Postgres and its queue, and then finds none', async () => {
    const url = await postgres.createDatabase();
    const secrets = { SESSION_SECRET: 'x'.repeat(40), ENCRYPTION_KEYS: `k:${Buffer.alloc(32).toString('base64')}` };
    const environment = { HOME: '/tmp', DATABASE_URL: url, ...secrets };
    const listed = await sluice(['migrate', '--dry-run'], environment);
    expect(listed, listed.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(/^The Postgres database has \d+ migrations pending:\n {2}0000_first_schema\n/);
    expect(await postgres.query(`select to_regclass('issues') as issues`, new URL(url).pathname.slice(1))).toEqual([
      { issues: null },
    ]);
    const migrated = await sluice(['migrate', '--json'], environment);
    const report = JSON.parse(migrated.stdout) as { changes: string[] };
    expect(report).toMatchObject({ database: 'postgres', dry_run: false });
    expect(report.changes[0]).toBe('0000_first_schema');
    expect(await sluice(['migrate'], environment)).toEqual({
      code: 0,
      stdout: 'The Postgres database is up to date.\n',
      stderr: '',
    });
    await postgres.query('select from graphile_worker.jobs', new URL(url).pathname.slice(1));
    await postgres.query(`insert into migrations values ('9999_later')`, new URL(url).pathname.slice(1));
    const refused = await sluice(['migrate'], environment);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^sluice: The database was written by a newer version.*9999_later[^\n]*\n$/);
  });

  it('is run by one of several processes at once, the tables of the queue included, while the others wait', async () => {
    const url = await postgres.createDatabase();
    const secrets = { SESSION_SECRET: 'x'.repeat(40), ENCRYPTION_KEYS: `k:${Buffer.alloc(32).toString('base64')}` };
    const environment = { HOME: '/tmp', DATABASE_URL: url, ...secrets };
    const ended = await Promise.all(
      Array.from({ length: isSoakRun ? 8 : 3 }, () => sluice(['migrate', '--json'], environment)),
    );
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ended.map(() => ({ code: 0, stderr: '' })));
    const changes = ended.map(({ stdout }) => (JSON.parse(stdout) as { changes: string[] }).changes.length);
    expect(changes.filter((count) => count > 0)).toHaveLength(1);
    await postgres.query('select from graphile_worker.jobs', new URL(url).pathname.slice(1));
  });
});
