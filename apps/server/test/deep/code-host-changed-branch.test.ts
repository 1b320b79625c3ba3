import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { eventually } from '@sluice/testing';
import { expect, it } from 'vitest';
import { aCodeHost, approve, codehostEnvironment, HOSTED, importToGate, signInAt } from '../code-host-scene.ts';
import type { HttpSession } from '../http-session.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/code-host-road.test.ts

/** The built-in model reads titles too: an edit that is in both is made twice. */
const ASK = 'Please.\n\n```md file=README.md\nIt is fixed.\n```';

/** Ann's published issue 7, at a service that receives every webhook. */
async function aPublishedIssue(host: FakeCodeHost, url: string) {
  host.webhooks.add({
    url: `${url}/api/codehost/webhook`,
    secret: codehostEnvironment(host).CODEHOST_WEBHOOK_SECRET ?? '',
  });
  const ann = await signInAt(url, host, 'ann');
  const { body: repo } = await ann.call<RepoWire>('POST', '/api/repos', { codehost_repo: HOSTED });
  const issue = await importToGate(ann, repo, 7);
  await approve(ann, issue);
  const { result } = await ann.reaches(issue.id, 'completed');
  const branch = result?.branch ?? '';
  const pull = (await host.pulls(HOSTED)).find(({ head }) => head === branch);
  if (pull === undefined) throw new Error('there is no pull request');
  return { ann, repo, branch, place: { repo: HOSTED, number: pull.number, by: 'ann' } };
}

async function followUps(person: HttpSession, repo: RepoWire): Promise<IssueWire[]> {
  const { body } = await person.call<{ items: IssueWire[] }>('GET', `/api/issues?repo_id=${repo.id}`);
  return body.items.filter(({ origin }) => origin === 'follow_up').toReversed();
}

async function theFollowUp(person: HttpSession, repo: RepoWire, at = 0): Promise<IssueWire> {
  return await eventually(async () => {
    const found = (await followUps(person, repo))[at];
    if (found === undefined) throw new Error('there is no follow-up');
    return found;
  });
}

it('does not overwrite a commit that replaced the base of a follow-up', async () => {
  await using host = await aCodeHost();
  await using server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const { ann, repo, branch, place } = await aPublishedIssue(host, server.url);
  host.review(place, {
    state: 'CHANGES_REQUESTED',
    body: 'Nearly.',
    lines: [{ path: 'Makefile', line: 1, body: ASK }],
  });
  const { id } = await theFollowUp(ann, repo);
  await ann.reaches(id, 'awaiting_approval');
  // The same files in another commit: nothing that a plan goes by has changed, so that it can be approved.
  const who = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com'];
  const tree = [`${branch}^{tree}`, '-p', `${branch}~1`];
  const theirs = await host.git(HOSTED, ...who, 'commit-tree', ...tree, '-m', 'Said otherwise');
  await host.git(HOSTED, 'update-ref', `refs/heads/${branch}`, theirs);
  await approve(ann, await ann.reaches(id, 'awaiting_approval'));
  const { error } = await ann.reaches(id, 'failed');
  expect(error?.detail).toContain('ask again with a new comment');
  expect(await host.git(HOSTED, 'rev-parse', branch)).toBe(theirs);

  host.comment(place, ASK);
  const again = await theFollowUp(ann, repo, 1);
  await approve(ann, await ann.reaches(again.id, 'awaiting_approval'));
  const { result } = await ann.reaches(again.id, 'completed');
  expect(result?.base_commit).toBe(theirs);
  expect(await host.git(HOSTED, 'rev-parse', `${branch}~1`)).toBe(theirs);
  expect((await host.pulls(HOSTED)).filter(({ head }) => head === branch)).toHaveLength(1);
});

it('does not restore the branch of a merged pull request, and runs no follow-up that waits for it', async () => {
  await using host = await aCodeHost();
  await using server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const { ann, repo, branch, place } = await aPublishedIssue(host, server.url);
  host.comment(place, ASK);
  const { id } = await theFollowUp(ann, repo);
  await ann.reaches(id, 'awaiting_approval');
  host.comment(place, 'Test it.');
  const { id: waiting } = await theFollowUp(ann, repo, 1);
  await host.merge(place);
  await host.deleteBranch(HOSTED, branch);
  const answer = await ann.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
  expect([answer.status, answer.body]).toMatchObject([409, { code: 'base_branch_gone' }]);
  await ann.call('DELETE', `/api/issues/${id}`);
  await ann.reaches(id, 'cancelled');
  // It stays merged, whatever deliveries follow.
  host.comment(place, 'Thanks!');
  await host.webhooks.settled();
  await eventually(async () => {
    const { body } = await ann.call<{ items: IssueWire[] }>('GET', `/api/issues?repo_id=${repo.id}`);
    const published = body.items.filter(({ origin }) => origin === 'codehost');
    expect(published.map(({ change_request_state: state }) => state)).toEqual(['merged']);
  });
  const all = await followUps(ann, repo);
  expect(all.map(({ status }) => status)).toEqual(['cancelled', 'pending']);
  expect(await host.git(HOSTED, 'branch', '--list', branch)).toBe('');
  await ann.call('POST', `/api/issues/${waiting}/run`);
  const { error } = await ann.reaches(waiting, 'failed');
  expect(error?.detail).toContain('has no branch');
  expect(await host.pulls(HOSTED)).toHaveLength(2);
});
