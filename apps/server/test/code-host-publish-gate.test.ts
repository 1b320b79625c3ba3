import type { IssueWire } from '@sluice/core';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { expect, it } from 'vitest';
import {
  aCodeHost,
  approve,
  codehostEnvironment,
  HOSTED,
  importToGate,
  registerHosted,
  signInAt,
} from './code-host-scene.ts';
import type { HttpSession } from './http-session.ts';
import { startScratchServer } from './scratch-server.ts';

const WORKFLOW = '.github/workflows/ci.yml';

/** An issue whose plan changes a workflow, approved and at the gate before the push. */
async function atPublishGate(host: FakeCodeHost, person: HttpSession): Promise<IssueWire> {
  await host.push(HOSTED, { by: 'ann', branch: 'main', files: { [WORKFLOW]: 'run: broken\n' } });
  const body = `in \`value.txt\` replace \`broken\` with \`fixed\`\nin \`${WORKFLOW}\` replace \`broken\` with \`fixed\`\n`;
  const number = host.openIssue(HOSTED, { title: 'Mend the workflow', body, by: 'ann' });
  const planned = await importToGate(person, await registerHosted(person), number);
  await approve(person, planned);
  const seen = await person.events(
    planned.id,
    (event) => event.type === 'issue.status' && event.data.stage === 'publish' && event.data.to === 'awaiting_approval',
  );
  expect(seen.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'awaiting_approval' } });
  return await person.issue(planned.id);
}

/** What was written at the host by the service, to which only the sign-in belongs before a person's word. */
function written(host: FakeCodeHost): string[] {
  return host.requests.filter(({ write, path }) => write && !path.startsWith('/login')).map(({ path }) => path);
}

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

it('publishes nothing when the approval of the plan is sent twice', async () => {
  await using host = await aCodeHost();
  await using server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const ann = await signInAt(server.url, host, 'ann');
  const issue = await atPublishGate(host, ann);
  // As a client sends it that got no answer, or a second tab, or a command from the shell's history.
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
