import { expect, it } from 'vitest';
import { atPublishGate, written } from '../code-host-publish-gate-scene.ts';
import { aCodeHost, approve, codehostEnvironment, HOSTED, signInAt } from '../code-host-scene.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/code-host-publish-gate.test.ts

it('publishes nothing when the approval of the plan is sent twice', async () => {
  await using host = await aCodeHost();
  await using server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const ann = await signInAt(server.url, host, 'ann');
  const issue = await atPublishGate(host, ann);
  // A client that got no answer sends this, and so does a second tab, or a command from the shell's history.
  const replay = await ann.call('POST', `/api/issues/${issue.id}/approve`, { action: 'approve', revision: 1 });
  expect(replay).toMatchObject({
    status: 409,
    body: { code: 'issue_not_awaiting_publication', head_commit: issue.gate?.head_commit },
  });
  expect((await ann.issue(issue.id)).gate).toEqual(issue.gate);
  expect(written(host)).toEqual([]);
});

it('leaves nothing at the host when the change is rejected before the push', async () => {
  await using host = await aCodeHost();
  await using server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const ann = await signInAt(server.url, host, 'ann');
  const issue = await atPublishGate(host, ann);
  await ann.call('POST', `/api/issues/${issue.id}/approve`, { action: 'reject' });
  await ann.reaches(issue.id, 'rejected');
  expect(written(host)).toEqual([]);
});

it('reports that the account may not change workflows, and opens no pull request', async () => {
  await using host = await aCodeHost();
  const environment = { ...codehostEnvironment(host), CODEHOST_POLL: '0', CODEHOST_SCOPES: 'repo' };
  await using server = await startScratchServer(environment);
  const ann = await signInAt(server.url, host, 'ann');
  const issue = await atPublishGate(host, ann);
  await approve(ann, issue);
  const failed = await ann.reaches(issue.id, 'failed');
  expect(failed.error).toMatchObject({ stage: 'publish', detail: expect.stringMatching(/workflow/) });
  expect(await host.git(HOSTED, 'branch', '--list', 'sluice/*')).toBe('');
  expect(await host.pulls(HOSTED)).toHaveLength(1); // the one made by hand
});
