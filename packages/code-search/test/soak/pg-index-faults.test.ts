import type { CodeIndex } from '@sluice/core/code-search';
import type { RepoId } from '@sluice/core/id';
import { eventually, type PostgresDatabases, sharedPostgres, startPostgres } from '@sluice/testing';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeIndexFaultsContract, manyFiles } from '../../src/lexical/test/code-index-faults.contract.ts';
import { createScratchRepo, type ScratchRepo } from '../../src/lexical/test/scratch-repo.ts';
import { createPgCodeIndex, type PgCodeIndexOptions } from '../../src/lexical-postgres/create-pg-code-index.ts';
import type { IndexConnection } from '../../src/lexical-postgres/index-connection.ts';
import { createIndexConnections } from '../../src/lexical-postgres/index-connections.ts';
import { SCHEMA } from '../../src/lexical-postgres/index-schema.ts';
import { pgIndexesOn } from '../../src/lexical-postgres/test/pg-indexes.ts';

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

codeIndexFaultsContract(
  'Postgres',
  pgIndexesOn(() => server),
);

describe('the code index in a Postgres that many share', () => {
  const signal = new AbortController().signal;
  const repoId = '019a0000-0000-7000-8000-000000000001' as RepoId;
  let url: string;
  let database: string;
  let repo: ScratchRepo;
  let opened: CodeIndex[];

  const open = (changed: Partial<PgCodeIndexOptions> = {}): CodeIndex => {
    const clock = { now: () => new Date() };
    const index = createPgCodeIndex({ url, applicationName: 'code index test', clock, ...changed });
    opened.push(index);
    return index;
  };
  const paths = async (index: CodeIndex, query: string) =>
    (await index.search(repoId, { query, limit: 50 }, signal)).map(({ path }) => path).sort();
  const connections = async () => {
    const rows = await server.query(`select pid from pg_stat_activity where application_name = 'code index test'`);
    return rows.length;
  };

  beforeEach(async () => {
    url = await server.createDatabase();
    database = new URL(url).pathname.slice(1);
    repo = createScratchRepo();
    opened = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((index) => index.close()));
    repo[Symbol.dispose]();
  });

  it('is made once by eight that start at the same time on an empty database', async () => {
    const indexes = Array.from({ length: 8 }, () => open());
    expect(await Promise.all(indexes.map((index) => paths(index, 'alpha')))).toEqual(Array(8).fill([]));
  });

  it('is updated by one of two that are asked for the same commit, and both search it', async () => {
    const first = repo.commit(manyFiles(80, 'alpha'));
    const second = repo.at(first.baseCommit);
    const [one, other] = [open(), open()];
    const [made, found] = await Promise.all([one.update(first, signal), other.update(second, signal)]);
    expect(made).toEqual(found);
    expect(first.blobsRead.length + second.blobsRead.length).toBe(80);
    expect(await paths(one, 'alpha')).toHaveLength(50);
    expect(await paths(other, 'alpha')).toHaveLength(50);
  });

  it('shows nothing of an update, moved files included, before it has ended', async () => {
    const index = open();
    await index.update(repo.commit(manyFiles(3, 'alpha')), signal);
    const next = repo.commit({
      'src/f0.ts': null,
      'moved/turbine.ts': manyFiles(1, 'alpha')['src/f0.ts'] ?? '',
      'new.ts': 'const turbine = 1;\n',
    });
    const reading = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const held = {
      ...next,
      async *readBlobs(blobs: readonly string[], until: AbortSignal) {
        yield* next.readBlobs(blobs, until);
        reading.resolve();
        await goOn.promise;
      },
    };
    const update = index.update(held, signal);
    await reading.promise;
    expect(await paths(index, 'turbine')).toEqual([]);
    expect(await paths(index, 'alpha')).toEqual(['src/f0.ts', 'src/f1.ts', 'src/f2.ts']);
    goOn.resolve();
    await update;
    expect(await paths(index, 'turbine')).toEqual(['moved/turbine.ts', 'new.ts']);
  });

  it('answers although every connection has just been ended', async () => {
    const index = open();
    await index.update(repo.commit(manyFiles(5, 'alpha')), signal);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 8 }, () => paths(index, 'alpha')));
      await server.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'code index test'`,
      );
      expect(await paths(index, 'alpha')).toHaveLength(5);
    }
  });

  it('answers although all of its idle connections are lost, and each is heard of only when it is used', async () => {
    const connections = createIndexConnections({ url, applicationName: 'code index test', poolSize: 3 });
    const pidOf = async (db: IndexConnection) =>
      (await db.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;
    const together: PromiseWithResolvers<void>[] = Array.from({ length: 3 }, () => Promise.withResolvers());
    const idle = await Promise.all(
      together.map(({ resolve }) =>
        connections.read(async (db) => {
          resolve();
          await Promise.all(together.map(({ promise }) => promise));
          return await pidOf(db);
        }),
      ),
    );
    expect(new Set(idle).size).toBe(3);
    const tried: unknown[] = [];
    const answer = await connections.read(async (db) => {
      const pid = await pidOf(db);
      tried.push(pid);
      if (idle.includes(pid)) await db.query('select pg_terminate_backend(pg_backend_pid())');
      return pid;
    });
    expect(tried.slice(0, 3).toSorted()).toEqual(idle.toSorted());
    expect(idle).not.toContain(answer);
    await connections.close();
  });

  it('says that it is not ready while Postgres is away, keeps the last snapshot, and goes on when it is back', async () => {
    await using own = await startPostgres();
    const index = open({ url: await own.createDatabase() });
    await index.update(repo.commit(manyFiles(5, 'alpha')), signal);
    const next = repo.commit(manyFiles(300, 'beta'));
    const dying = {
      ...next,
      async *readBlobs(blobs: readonly string[], until: AbortSignal) {
        let count = 0;
        for await (const blob of next.readBlobs(blobs, until)) {
          yield blob;
          count += 1;
          if (count === 200) await own.kill();
        }
      },
    };
    await expect(index.update(dying, signal)).rejects.toMatchObject({ code: 'not_ready' });
    const refused = await index
      .search(repoId, { query: 'secretWord', limit: 1 }, signal)
      .catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'not_ready' });
    await own.start();
    expect(await paths(index, 'alpha')).toHaveLength(5);
    next.blobsRead.length = 0;
    expect(await index.update(next, signal)).toMatchObject({ index: { files: 300 } });
    expect(next.blobsRead.length).toBeLessThan(300);
    expect(await paths(index, 'alpha')).toEqual([]);
  });

  it('gives up a statement that takes too long, without a word of the question in what it says', async () => {
    await open().update(repo.commit(manyFiles(5, 'alpha')), signal);
    const index = open({ timeoutMs: 300 });
    // On a busy machine, work that is not blocked may take as long, too.
    const finds = () => eventually(async () => expect(await paths(index, 'alpha')).toHaveLength(5));
    await finds();
    await using locked = await holdTables();
    const refused = await index
      .search(repoId, { query: 'secretWord', limit: 1 }, signal)
      .catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'not_ready' });
    expect(JSON.stringify([refused, String(refused), String((refused as Error).cause)])).not.toMatch(/secret/i);
    await locked.release();
    await finds();
  });

  it('ends a cancelled search at once, and its connection with it', async () => {
    const index = open();
    await index.update(repo.commit(manyFiles(5, 'alpha')), signal);
    await using locked = await holdTables();
    const cancel = new AbortController();
    const search = index.search(repoId, { query: 'alpha', limit: 1 }, cancel.signal);
    const waiting = async () =>
      (
        await server.query(
          `select 1 from pg_stat_activity where application_name = 'code index test' and wait_event_type = 'Lock'`,
        )
      ).length;
    await expect.poll(waiting).toBe(1);
    const reason = new Error('cancelled by a person');
    cancel.abort(reason);
    await expect(search).rejects.toBe(reason);
    await locked.release();
    await expect.poll(connections).toBe(0);
    expect(await paths(index, 'alpha')).toHaveLength(5);
  });

  it('never takes more connections than it may, under whatever name it was given', async () => {
    const index = open({ poolSize: 2 });
    await index.update(repo.commit(manyFiles(50, 'alpha')), signal);
    let most = 0;
    let searching = true;
    // Many for two, and not so many that one waits for seconds on a busy machine: it would be refused.
    const searches = Promise.all(Array.from({ length: 24 }, () => paths(index, 'alpha'))).finally(() => {
      searching = false;
    });
    while (searching) most = Math.max(most, await connections());
    expect(await searches).toHaveLength(24);
    expect(most).toBe(2);
  });

  it('is rebuilt when it was dropped, and drops the tables of older versions', async () => {
    const version = Number(SCHEMA.split('_').at(-1));
    const before = `sluice_index_${version - 1}`;
    await server.query(
      `create schema ${before}; create schema sluice_indexes; create table ${before}.kept ()`,
      database,
    );
    const index = open();
    const workspace = repo.commit(manyFiles(5, 'alpha'));
    await index.update(workspace, signal);
    await server.query(`drop schema ${SCHEMA} cascade`, database);
    expect(await paths(index, 'alpha')).toEqual([]);
    await index.update(workspace, signal);
    expect(await paths(index, 'alpha')).toHaveLength(5);
    const schemas = await server.query(
      `select nspname from pg_namespace where nspname ~ '^sluice' order by 1`,
      database,
    );
    expect(schemas.map(({ nspname }) => nspname)).toEqual([before, SCHEMA, 'sluice_indexes']);
  });

  it('leaves nothing of a repository that is dropped, while others are updated', async () => {
    using another = createScratchRepo('019a0000-0000-7000-8000-000000000002');
    const index = open();
    await index.update(repo.commit(manyFiles(100, 'alpha')), signal);
    await Promise.all([index.drop(repoId), index.update(another.commit(manyFiles(7, 'beta')), signal)]);
    const [left] = await server.query(
      `select (select count(*)::int from ${SCHEMA}.words) as words, (select count(*)::int from ${SCHEMA}.chunks) as chunks,
         (select count(*)::int from ${SCHEMA}.paths) as paths, (select count(*)::int from ${SCHEMA}.repos) as repos`,
      database,
    );
    expect(left).toEqual({ words: 7, chunks: 7, paths: 7, repos: 1 });
  });

  /** Locks the tables that a search reads, on a separate connection. */
  async function holdTables() {
    const client = new Client(url);
    await client.connect();
    await client.query(`begin; lock table ${SCHEMA}.repos in access exclusive mode`);
    let held = true;
    const release = async () => {
      if (held) await client.end();
      held = false;
    };
    return { release, [Symbol.asyncDispose]: release };
  }
});
