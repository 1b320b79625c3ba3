import { expect, it } from 'vitest';
import { atPublishGate, WORKFLOW, written } from './code-host-publish-gate-scene.ts';
import { aCodeHost, approve, codehostEnvironment, HOSTED, signInAt } from './code-host-scene.ts';
import { startScratchServer } from './scratch-server.ts';

it('pushes a change of a workflow only after a person has confirmed it', async () => {
  await using host = await aCodeHost();
  await using server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const ann = await signInAt(server.url, host, 'ann');
  const issue = await atPublishGate(host, ann);
  expect(issue.gate?.kind).toBe('publish');
  expect(issue.gate?.reasons[0]).toContain(WORKFLOW);
  expect(written(host)).toEqual([]);
  await approve(ann, issue);
  const { result } = await ann.reaches(issue.id, 'completed');
  expect(await host.git(HOSTED, 'show', `${result?.branch}:${WORKFLOW}`)).toBe('run: fixed');
  expect((await host.pulls(HOSTED)).filter(({ head }) => head === result?.branch)).toHaveLength(1);
});
