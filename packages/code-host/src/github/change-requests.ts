import type { ChangeRequest, ChangeRequestDetails, ChangeRequestDraft } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { z } from 'zod';
import { repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import {
  changeRequestSchema,
  detailedChangeRequest,
  detailedChangeRequestSchema,
  hostedChangeRequest,
} from './change-request-schema.ts';
import { readRepo } from './read-repos.ts';

export async function readChangeRequest(
  host: HostSession,
  fullName: string,
  number: number,
): Promise<ChangeRequestDetails> {
  const { data } = await host.send({
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...repoName(fullName), pull_number: subjectNumber(number) },
    schema: detailedChangeRequestSchema,
  });
  return detailedChangeRequest(host, fullName, data);
}

const MAX_FROM_BRANCH = 30; // the newest: open ones into several bases, and earlier ones

interface FromBranch {
  readonly headBranch: string;
  readonly baseBranch?: string;
  /** Also find one that has ended, if this is its head commit. */
  readonly headCommit?: string;
}

/** The newest open one from that branch, into `baseBranch` if given. */
export async function findChangeRequest(
  host: HostSession,
  fullName: string,
  from: FromBranch,
): Promise<ChangeRequest | null> {
  const { owner } = repoName(fullName);
  const found = await openFrom(host, fullName, { ...from, owner });
  if (found !== null) return found;
  // The filter accepts only the current name of an owner, while the URL of an earlier name redirects.
  const current = repoName((await readRepo(host, fullName)).fullName);
  return current.owner.toLowerCase() === owner.toLowerCase()
    ? null
    : openFrom(host, fullName, { ...from, owner: current.owner });
}

async function openFrom(
  host: HostSession,
  fullName: string,
  { owner, headBranch, baseBranch, headCommit }: FromBranch & { readonly owner: string },
): Promise<ChangeRequest | null> {
  const { data } = await host.send({
    route: 'GET /repos/{owner}/{repo}/pulls',
    parameters: {
      ...repoName(fullName),
      state: headCommit === undefined ? 'open' : 'all',
      head: `${owner}:${headBranch}`,
      per_page: MAX_FROM_BRANCH,
    },
    schema: z.array(changeRequestSchema),
  });
  // The host ignores a filter that it cannot parse, and a fork of the same owner has the same branches.
  const matching = data.filter(
    ({ head, base }) =>
      head.ref === headBranch &&
      head.repo?.full_name === base.repo?.full_name &&
      (baseBranch === undefined || base.ref === baseBranch),
  );
  const found = matching.find(({ state }) => state === 'open') ?? matching.find(({ head }) => head.sha === headCommit);
  return found === undefined ? null : hostedChangeRequest(host, fullName, found);
}

/**
 * The host allows only one open change request from a branch into another. So when it refuses, or its response is lost, the
 * one that is open is the wanted one, even if somebody else opened it.
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
    // Private repositories support drafts only in some of the host's pricing plans, which the API does not reveal.
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
  const { data } = await host.send({
    route: 'POST /repos/{owner}/{repo}/pulls',
    parameters: {
      ...repoName(fullName),
      title: draft.title,
      body: draft.body,
      head: draft.headBranch,
      base: draft.baseBranch,
      draft: draft.draft,
    },
    schema: changeRequestSchema,
  });
  return hostedChangeRequest(host, fullName, data);
}

const mayBeOpen: ReadonlySet<string> = new Set(['codehost_refused', 'codehost_unavailable']);

export async function describeChangeRequest(
  host: HostSession,
  fullName: string,
  change: { number: number; body: string },
): Promise<void> {
  await host.send({
    route: 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...repoName(fullName), pull_number: subjectNumber(change.number), body: change.body },
    schema: changeRequestSchema,
  });
}
