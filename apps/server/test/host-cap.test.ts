import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { signUp } from './http-session.ts';
import { fixingIssue, makeBuggyRepo } from './scratch-repo.ts';
import { startScratchServer } from './scratch-server.ts';

describe('concurrency', () => {
  it('answers one of eight concurrent creates on a repository with 201, and the others with 409', async () => {
    await using server = await startScratchServer();
    const person = await signUp(server.url);
    const repo = await person.call<RepoWire>('POST', '/api/repos', { url: makeBuggyRepo().path });
    const body = { repo_id: repo.body.id, ...fixingIssue };
    const answers = await Promise.all(Array.from({ length: 8 }, () => person.call('POST', '/api/issues', body)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const created = answers.find((answer) => answer.status === 201)?.body as unknown as IssueWire;
    for (const refused of answers.filter((answer) => answer.status === 409)) {
      expect(refused.body).toMatchObject({ code: 'repo_busy', active_issue_id: created.id });
      expect(refused.body.detail).toContain(created.id);
    }
  });
});
