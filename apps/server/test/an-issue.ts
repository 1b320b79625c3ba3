import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { expect } from 'vitest';
import type { HttpSession } from './http-session.ts';
import { fixingIssue, makeBuggyRepo, type ScratchRepo } from './scratch-repo.ts';

export interface AnIssue {
  readonly id: string;
  readonly repoId: string;
  readonly repo: ScratchRepo;
}

interface AnIssueOptions {
  readonly repo?: ScratchRepo;
  /** Fields of the registration besides the address. */
  readonly fields?: object;
  readonly issue?: { readonly title: string; readonly body: string };
}

/** Registers a repository and creates an issue in it, one that the built-in model can carry out unless given. */
export async function anIssue(
  person: HttpSession,
  { repo = makeBuggyRepo(), fields = {}, issue = fixingIssue }: AnIssueOptions = {},
): Promise<AnIssue> {
  const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path, ...fields });
  expect(registered.status, JSON.stringify(registered.body)).toBe(201);
  const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id: registered.body.id, ...issue });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return { id: created.body.id, repoId: registered.body.id, repo };
}

/** The same, once its plan awaits approval. */
export async function anIssueAtGate(person: HttpSession, options: AnIssueOptions = {}): Promise<AnIssue> {
  const begun = await anIssue(person, options);
  await person.reaches(begun.id, 'awaiting_approval');
  return begun;
}
