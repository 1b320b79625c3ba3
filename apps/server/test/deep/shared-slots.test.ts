import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { type HttpSession, signUp } from '../http-session.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/host-cap.test.ts

let repos = 0;

async function newIssue(person: HttpSession): Promise<IssueWire> {
  repos += 1;
  const { path } = makeBuggyRepo({ name: `shared-${repos}` });
  const repo = await person.call<RepoWire>('POST', '/api/repos', { url: path });
  const issue = await person.call<IssueWire>('POST', '/api/issues', { repo_id: repo.body.id, ...fixingIssue });
  expect(issue.status).toBe(201);
  return issue.body;
}

const approve = (person: HttpSession, { id }: IssueWire) =>
  person.call<IssueWire>('POST', `/api/issues/${id}/approve`, { action: 'approve', revision: 1 });

describe('an account that takes as many slots as it can', () => {
  it('leaves slots to others, within the limit per user', async () => {
    await using server = await startScratchServer({ MAX_ACTIVE_PIPELINES_PER_USER: '3' });
    const [greedy, other] = [await signUp(server.url), await signUp(server.url)];
    const taken: IssueWire[] = [];
    for (let count = 0; count < 5; count += 1) taken.push(await newIssue(greedy));
    for (const { id } of taken.slice(0, 3)) await greedy.reaches(id, 'awaiting_approval');
    const { id } = await newIssue(other);
    expect((await other.reaches(id, 'awaiting_approval')).queue_position).toBeNull();
    for (const [index, one] of taken.slice(3).entries()) {
      expect(await greedy.issue(one.id)).toMatchObject({ status: 'pending', queue_position: index + 1 });
    }
  });

  it('holds no slot while its plans wait for a decision, where gates free theirs', async () => {
    await using server = await startScratchServer({ MAX_ACTIVE_PIPELINES: '1', GATE_KEEPS_SLOT: 'off' });
    const [greedy, other] = [await signUp(server.url), await signUp(server.url)];
    const first = await newIssue(greedy);
    const second = await newIssue(greedy);
    for (const { id } of [first, second]) await greedy.reaches(id, 'awaiting_approval');
    const mine = await newIssue(other);
    await other.reaches(mine.id, 'awaiting_approval');

    const decisions = await Promise.all(Array.from({ length: 6 }, () => approve(greedy, first)));
    expect(decisions.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const decided = decisions.find(({ status }) => status === 200)?.body;
    expect(['pending', 'running']).toContain(decided?.status);
    expect(decided).toMatchObject({ stage: 'implement', queued_at: expect.any(String), gate: null });
    // The repository stays held, and a decided issue is not edited.
    expect((await greedy.call('PATCH', `/api/issues/${first.id}`, { title: 'Other' })).status).toBe(409);
    await greedy.reaches(first.id, 'completed');
    const moves = (await greedy.events(first.id)).flatMap((event) =>
      event.type === 'issue.status' ? [`${event.data.from} -> ${event.data.to}`] : [],
    );
    const gate = moves.indexOf('awaiting_approval -> pending');
    expect(moves.slice(gate, gate + 2)).toEqual(['awaiting_approval -> pending', 'pending -> running']);
    expect((await greedy.call('DELETE', `/api/issues/${second.id}`)).status).toBe(204);
  });

  it('gets its slots back at the gate when the setting changes with a restart', async () => {
    const before = await startScratchServer({ MAX_ACTIVE_PIPELINES: '1' });
    const greedy = await signUp(before.url);
    const first = await newIssue(greedy);
    const second = await newIssue(greedy);
    await greedy.reaches(first.id, 'awaiting_approval');
    expect((await greedy.issue(second.id)).status).toBe('pending');
    await using after = await before.restart({ MAX_ACTIVE_PIPELINES: '1', GATE_KEEPS_SLOT: 'off' });
    const person = greedy.at(after.url);
    await person.reaches(second.id, 'awaiting_approval');
    expect((await person.issue(first.id)).status).toBe('awaiting_approval');
    expect((await approve(person, first)).status).toBe(200);
    await person.reaches(first.id, 'completed');
  });
});
