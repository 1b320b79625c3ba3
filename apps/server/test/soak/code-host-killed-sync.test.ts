import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { aCodeHost, codehostEnvironment, HOSTED, signInAt } from '../code-host-scene.ts';
import { startProcess } from '../service-process.ts';

const HOLD_MS = 75_000; // the only process ends it at its start

it('imports and runs a labelled issue once after kill -9 during the import, without a second delivery', async () => {
  await using host = await aCodeHost();
  const environment: Record<string, string> = { ...codehostEnvironment(host), CODEHOST_POLL: '0' };
  const first = await startProcess(environment);
  const ann = await signInAt(first.url, host, 'ann');
  const { body: repo } = await ann.call<RepoWire>('POST', '/api/repos', {
    codehost_repo: HOSTED,
    settings: { label_trigger: 'sluice', auto_run: true },
  });
  host.webhooks.add({
    url: `${first.url}/api/codehost/webhook`,
    secret: environment.CODEHOST_WEBHOOK_SECRET ?? '',
    events: ['issues'],
  });
  // The label was seen, and the text is being read.
  const mayRead = Promise.withResolvers<void>();
  let diedAt = 0;
  host.onRequest(async ({ path }) => {
    if (!path.endsWith('/issues/7/comments')) return;
    if (diedAt !== 0) return await mayRead.promise;
    diedAt = Date.now();
    await first.kill();
  });
  host.label({ repo: HOSTED, number: 7, by: 'ann' }, 'sluice');
  expect(await first.ended).toBe('SIGKILL');
  await host.webhooks.settled();
  expect(host.webhooks.deliveries.map(({ statuses }) => statuses)).toEqual([[202]]);

  const second = await startProcess({ ...environment, DATA_DIR: first.dataDir });
  try {
    const person = ann.at(second.url);
    const issues = async () => {
      const { body } = await person.call<{ items: IssueWire[] }>('GET', `/api/issues?repo_id=${repo.id}`);
      return body.items;
    };
    expect(await issues()).toEqual([]);
    mayRead.resolve();
    await until('the issue is imported', async () => (await issues()).length > 0);
    const [imported] = await issues();
    expect(Date.parse(imported?.created_at ?? '') - diedAt).toBeLessThan(HOLD_MS - 5_000);
    await person.reaches(imported?.id ?? '', 'awaiting_approval');
    expect(await issues()).toMatchObject([{ codehost_number: 7, origin: 'codehost' }]);
  } finally {
    await second.kill();
  }
});
