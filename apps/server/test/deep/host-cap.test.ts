import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { anIssueAtGate } from '../an-issue.ts';
import { signUp } from '../http-session.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/host-cap.test.ts

describe('concurrency', () => {
  it('leaves the sixth of six issues pending and visible until a slot is free', async () => {
    await using server = await startScratchServer();
    const [first, second] = [await signUp(server.url), await signUp(server.url)];
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      const person = index < 3 ? first : second; // five repositories an hour is the limit of one person
      const repo = await person.call<RepoWire>('POST', '/api/repos', {
        url: makeBuggyRepo({ name: `repo-${index}` }).path,
      });
      const issue = await person.call<IssueWire>('POST', '/api/issues', { repo_id: repo.body.id, ...fixingIssue });
      expect(issue.status).toBe(201);
      ids.push(issue.body.id);
    }
    const [oldest = '', sixth = ''] = [ids[0], ids[5]];
    for (const [index, id] of ids.slice(0, 5).entries())
      await (index < 3 ? first : second).reaches(id, 'awaiting_approval');
    expect(await second.issue(sixth)).toMatchObject({ status: 'pending', queue_position: 1, stage: null });
    expect((await first.call('DELETE', `/api/issues/${oldest}`)).status).toBe(204);
    await second.reaches(sixth, 'awaiting_approval');
    expect(await second.issue(sixth)).toMatchObject({ queue_position: null, stage: 'human_review' });
  });

  it('accepts exactly one of twelve concurrent approvals', async () => {
    await using server = await startScratchServer();
    const person = await signUp(server.url);
    const { id } = await anIssueAtGate(person);
    const decide = () => person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
    const answers = await Promise.all(Array.from({ length: 12 }, decide));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
    const events = await person.events(id);
    expect(events.filter((event) => event.type === 'review.decided')).toHaveLength(1);
  });
});
