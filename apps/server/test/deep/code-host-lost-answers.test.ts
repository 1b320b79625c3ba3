import { expect, it } from 'vitest';
import {
  aCodeHost,
  approve,
  codehostEnvironment,
  HOSTED,
  importToGate,
  registerHosted,
  signInAt,
} from '../code-host-scene.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/code-host-road.test.ts

it.each([
  ['the push', 'POST /:owner/:repo/git-receive-pack'],
  ['the pull request', 'POST /repos/:owner/:repo/pulls'],
  ['the comment', 'POST /repos/:owner/:repo/issues/:number/comments'],
])('adopts what was done when the answer to %s is lost', async (_what, on) => {
  await using host = await aCodeHost();
  await using server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const ann = await signInAt(server.url, host, 'ann');
  const issue = await importToGate(ann, await registerHosted(ann), 7);
  const lost = host.arm({ on, fault: { kind: 'lost' } });
  await approve(ann, issue);
  const done = await ann.reaches(issue.id, 'completed');

  expect(lost.hits).toBe(1);
  const pulls = (await host.pulls(HOSTED)).filter(({ head }) => head.startsWith('sluice/'));
  expect(pulls).toMatchObject([{ head: done.result?.branch, headCommit: done.result?.head_commit, state: 'open' }]);
  expect(done.result?.change_request_url).toBe(`${host.url}/${HOSTED}/pull/${pulls[0]?.number}`);
  expect(host.comments(HOSTED, 7)).toHaveLength(1);
});
