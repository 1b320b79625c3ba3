import { callerOf } from '@sluice/core/access';
import { aNewIssue, aNewRepo, aNewUser, sharedPostgres } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openPostgres } from '../open-database.ts';

it('finds an issue by the letters of its title in a database with an ASCII locale', async () => {
  await using server = await sharedPostgres();
  const url = new URL(await server.createDatabase());
  const name = url.pathname.slice(1);
  const [row] = await server.query(
    `select pg_get_userbyid(datdba) as owner from pg_database where datname = '${name}'`,
  );
  await server.query(`drop database ${name}`);
  await server.query(`create database ${name} template template0 locale 'C' owner ${row?.owner}`);
  await using stores = await openPostgres({
    url: url.href,
    applicationName: 'plain',
    clock: { now: () => new Date() },
  });
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const issue = aNewIssue({ userId: user.id, repoId: repo.id, title: 'Über SUM' });
  await stores.issues.create(issue, { queue: false });
  for (const q of ['Über', 'sum', 'Über sum']) {
    const { items } = await stores.issues.list({ readableBy: callerOf(user.id), q, limit: 10, cursor: null });
    expect(items, q).toHaveLength(1);
  }
});
