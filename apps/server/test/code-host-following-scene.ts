import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { eventually } from '@sluice/testing';
import type { HttpSession } from './http-session.ts';

export async function issuesOf(person: HttpSession, repo: RepoWire): Promise<IssueWire[]> {
  const { body } = await person.call<{ items: IssueWire[] }>('GET', `/api/issues?repo_id=${repo.id}`);
  return body.items.toReversed();
}

/** The issue that comes into being by itself beside those that are known. */
export async function theNext(person: HttpSession, repo: RepoWire, known: number): Promise<IssueWire> {
  return await eventually(async () => {
    const issue = (await issuesOf(person, repo))[known];
    if (issue === undefined) throw new Error(`there are no more than ${known} issues`);
    return issue;
  });
}
