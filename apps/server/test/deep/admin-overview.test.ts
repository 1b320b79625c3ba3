import type { RepoWire } from '@sluice/core/repo';
import { eventually } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openAccountAdmin } from '../../src/admin/admin-accounts.ts';
import { openAdminStores } from '../../src/compose/open-admin-stores.ts';
import { overviewOf } from '../admin-overview-scene.ts';
import { signUp } from '../http-session.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/admin-overview.test.ts

it('shows a running issue as the holder of a slot, and the worker that runs it with its sandbox', async () => {
  await using server = await startScratchServer({ MAX_ACTIVE_PIPELINES: '2' });
  const operator = await signUp(server.url, 'operator@example.com');
  const user = await signUp(server.url, 'ann@example.com');
  const { body: repo } = await user.call<RepoWire>('POST', '/api/repos', {
    url: makeBuggyRepo().path,
    test_command: 'sleep 600',
  });
  const { body: issue } = await user.call<{ id: string }>('POST', '/api/issues', { repo_id: repo.id, ...fixingIssue });

  await eventually(async () => {
    const { body } = await overviewOf(operator);
    const [worker] = body.workers;
    expect(body.workers).toMatchObject([
      { pid: process.pid, role: 'all', state: 'running', sandbox: { kind: 'bwrap', usable: true, problem: null } },
    ]);
    expect(body.slots).toMatchObject([
      {
        number: 1,
        holder: {
          issue_id: issue.id,
          title: fixingIssue.title,
          owner: { email: 'ann@example.com' },
          status: 'running',
          stage: expect.any(String),
          since: expect.any(String),
          worker_id: worker?.id,
        },
      },
      { number: 2, holder: null },
    ]);
  });
  expect(await overviewOf(user)).toMatchObject({ status: 403, body: { code: 'operator_required' } });

  await using admin = await openAccountAdmin({ overrides: { DATA_DIR: server.dataDir } });
  expect(await admin.grantOperator('ann@example.com')).toMatchObject({ operator: true });
  expect((await overviewOf(user)).status).toBe(200);
  expect(await admin.revokeOperator('operator@example.com')).toMatchObject({ operator: false });
  expect(await admin.revokeOperator('ann@example.com')).toBe('last_operator');
  expect((await overviewOf(operator)).status).toBe(403);
});

it('lists after a restart the worker that runs alone, and none that stopped or was killed before', async () => {
  await using server = await startScratchServer();
  const operator = await signUp(server.url);
  const killed = { id: 'killed', hostName: 'host', pid: 1, role: 'all', version: '0', concurrency: 1 } as const;
  await using beside = await openAdminStores({ databaseUrl: null, dataDir: server.dataDir }, { besideServer: true });
  await beside.workers.put({ ...killed, sandbox: null });
  await beside.close();
  const before = (await overviewOf(operator)).body.workers.map(({ id }) => id);
  expect(before).toContain('killed');
  await using again = await server.restart();
  const { workers } = (await overviewOf(operator.at(again.url))).body;
  expect(workers).toHaveLength(1);
  expect(before).not.toContain(workers[0]?.id);
});
