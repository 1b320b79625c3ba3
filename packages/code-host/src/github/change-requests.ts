import { AppError, type ChangeRequest, type ChangeRequestDraft } from '@sluice/core';
import { z } from 'zod';
import { changeRequestShape, hostedChangeRequest } from './change-request-shape.ts';
import { repoName, subjectNumber } from './host-address.ts';
import type { HostSession } from './host-session.ts';
import { readRepo } from './read-repos.ts';

export async function readChangeRequest(host: HostSession, fullName: string, number: number): Promise<ChangeRequest> {
  const { data } = await host.ask({
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...repoName(fullName), pull_number: subjectNumber(number) },
    shape: changeRequestShape,
  });
  return hostedChangeRequest(host, fullName, data);
}

const AT_MOST = 30; // of one branch, the newest: one for each base that somebody wants it in, and what was before

interface FromBranch {
  readonly headBranch: string;
  readonly baseBranch?: string;
  /** Also one that has ended, where this very commit is the last of it. */
  readonly headCommit?: string;
}

/** The newest open one from that branch, into `baseBranch` where one is given. */
export async function findChangeRequest(
  host: HostSession,
  fullName: string,
  from: FromBranch,
): Promise<ChangeRequest | null> {
  const { owner } = repoName(fullName);
  const found = await openFrom(host, fullName, { ...from, owner });
  if (found !== null) return found;
  // The filter knows an owner by his present name only, where the address leads on from the name before.
  const present = repoName((await readRepo(host, fullName)).fullName);
  return present.owner.toLowerCase() === owner.toLowerCase()
    ? null
    : openFrom(host, fullName, { ...from, owner: present.owner });
}

async function openFrom(
  host: HostSession,
  fullName: string,
  { owner, headBranch, baseBranch, headCommit }: FromBranch & { readonly owner: string },
): Promise<ChangeRequest | null> {
  const { data } = await host.ask({
    route: 'GET /repos/{owner}/{repo}/pulls',
    parameters: {
      ...repoName(fullName),
      state: headCommit === undefined ? 'open' : 'all',
      head: `${owner}:${headBranch}`,
      per_page: AT_MOST,
    },
    shape: z.array(changeRequestShape),
  });
  // The host leaves out its filter where it cannot read it, and a fork of the same owner has the same branches.
  const fitting = data.filter(
    ({ head, base }) =>
      head.ref === headBranch &&
      head.repo?.full_name === base.repo?.full_name &&
      (baseBranch === undefined || base.ref === baseBranch),
  );
  const found = fitting.find(({ state }) => state === 'open') ?? fitting.find(({ head }) => head.sha === headCommit);
  return found === undefined ? null : hostedChangeRequest(host, fullName, found);
}

/**
 * The host lets only one be open from a branch into another. So when it refuses, or its answer is lost, the one that is
 * open then is the one that was wanted, whoever opened it.
 */
export async function openChangeRequest(
  host: HostSession,
  fullName: string,
  draft: ChangeRequestDraft,
): Promise<ChangeRequest> {
  const { headBranch, baseBranch } = draft;
  try {
    return await create(host, fullName, draft);
  } catch (error) {
    if (!(error instanceof AppError) || !mayBeOpen.has(error.code)) throw error;
    // Private repositories have drafts by their owner's plan only, which nothing tells beforehand.
    if (draft.draft && NO_DRAFTS.test(error.message)) {
      return await openChangeRequest(host, fullName, { ...draft, draft: false });
    }
    const open = await findChangeRequest(host, fullName, { headBranch, baseBranch }).catch(() => null);
    if (open === null) throw error;
    return open;
  }
}

const NO_DRAFTS = /\bdraft pull requests are not supported\b/i;

async function create(host: HostSession, fullName: string, draft: ChangeRequestDraft): Promise<ChangeRequest> {
  const { data } = await host.ask({
    route: 'POST /repos/{owner}/{repo}/pulls',
    parameters: {
      ...repoName(fullName),
      title: draft.title,
      body: draft.body,
      head: draft.headBranch,
      base: draft.baseBranch,
      draft: draft.draft,
    },
    shape: changeRequestShape,
  });
  return hostedChangeRequest(host, fullName, data);
}

const mayBeOpen: ReadonlySet<string> = new Set(['codehost_refused', 'codehost_unavailable']);

export async function describeChangeRequest(
  host: HostSession,
  fullName: string,
  change: { number: number; body: string },
): Promise<void> {
  await host.ask({
    route: 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...repoName(fullName), pull_number: subjectNumber(change.number), body: change.body },
    shape: changeRequestShape,
  });
}
