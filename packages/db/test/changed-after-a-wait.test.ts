import {
  aNewIssue,
  aNewRepo,
  aNewUser,
  aPlan,
  eventually,
  newId,
  type PostgresDatabases,
  settableClock,
  sharedPostgres,
} from '@sluice/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../src/index.ts';
import { nameOf } from './pg-schema.ts';
import { migratedDatabase } from './scratch.ts';

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

// A statement that has waited for a row sees the row as it is now, and every other table as it was before.
it('an issue whose plan was written while its claim waited is returned with that plan', async () => {
  const url = await migratedDatabase(server);
  await using stores = await openPostgres({ url, applicationName: 'claims', clock: settableClock() });
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const created = await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: true });
  if (created.kind !== 'applied') throw new Error(created.kind);
  const { id } = created.issue;
  const plan = aPlan();
  const slow = new Client(url);
  await slow.connect();
  try {
    await slow.query('begin');
    await slow.query('insert into plans (issue_id, revision, document) values ($1, 1, $2)', [id, plan]);
    await slow.query(`update issues set status = 'human_review', plan_revision = 1 where id = $1`, [id]);
    const claim = stores.runs.claim(id, { owner: 'worker-1', ttlMs: 60_000 });
    await eventually(async () => {
      const waiting = `select 1 from pg_stat_activity where application_name = 'claims' and wait_event_type = 'Lock'`;
      expect(await server.query(waiting, nameOf(url))).toHaveLength(1);
    });
    await slow.query('commit');
    expect((await claim)?.issue).toMatchObject({ status: 'human_review', plan });
    expect((await stores.runs.claim(id, { owner: 'worker-2', ttlMs: 60_000 }))?.issue).toBeUndefined();
  } finally {
    await slow.end();
  }
});

it('an edit of an issue whose repository was removed while it waited finds no issue, and writes nothing', async () => {
  const url = await migratedDatabase(server);
  await using stores = await openPostgres({ url, applicationName: 'edits', clock: settableClock() });
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const created = await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: false });
  if (created.kind !== 'applied') throw new Error(created.kind);
  const { id, title } = created.issue;
  const slow = new Client(url);
  await slow.connect();
  try {
    await slow.query('begin');
    await slow.query('select from issues where id = $1 for update', [id]);
    const edit = stores.issues.edit(id, { title: 'Other', body: '', warnings: [] });
    edit.catch(() => {}); // until it is looked at
    await eventually(async () => {
      const waiting = `select 1 from pg_stat_activity where application_name = 'edits' and wait_event_type = 'Lock'`;
      expect(await server.query(waiting, nameOf(url))).toHaveLength(1);
    });
    await server.query('update repos set removed_at = now()', nameOf(url));
    await slow.query('commit');
    await expect(edit).rejects.toMatchObject({ code: 'issue_not_found' });
    expect(await server.query('select title from issues', nameOf(url))).toEqual([{ title }]);
  } finally {
    await slow.end();
  }
});

it('an issue fails although its notification target is deleted before the delivery can be written', async () => {
  const url = await migratedDatabase(server);
  await using stores = await openPostgres({ url, applicationName: 'failures', clock: settableClock() });
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  await stores.notifications.createTarget(
    {
      id: newId(),
      userId: user.id,
      channel: 'email',
      url: null,
      format: 'standard',
      events: ['issue.failed'],
      repoId: null,
      description: null,
    },
    null,
  );
  const created = await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: true });
  if (created.kind !== 'applied') throw new Error(created.kind);
  const issueId = created.issue.id;
  const claim = await stores.runs.claim(issueId, { owner: 'worker-1', ttlMs: 60_000 });
  if (claim === null) throw new Error('the issue could not be claimed');
  const slow = new Client(url);
  await slow.connect();
  try {
    await slow.query('begin');
    await slow.query('delete from notification_targets');
    const error = { stage: 'test', detail: 'Red.' } as const;
    const change = { issueId, from: { status: 'running' }, trigger: 'gave_up', set: { error }, events: [] } as const;
    const failure = stores.issues.apply({ ...change, lease: claim.lease });
    failure.catch(() => {}); // until it is looked at
    await eventually(async () => {
      const waiting = `select 1 from pg_stat_activity where application_name = 'failures' and wait_event_type = 'Lock'`;
      expect(await server.query(waiting, nameOf(url))).toHaveLength(1);
    });
    await slow.query('commit');
    expect(await failure).toMatchObject({ kind: 'applied', issue: { status: 'failed' } });
    expect(await server.query('select 1 from notification_deliveries', nameOf(url))).toEqual([]);
  } finally {
    await slow.end();
  }
});
