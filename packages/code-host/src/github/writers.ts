import { AppError } from '@sluice/core';
import { z } from 'zod';
import type { RepoName } from './host-address.ts';
import type { HostSession } from './host-session.ts';
import { type HostAuthor, hostAuthor } from './wire-values.ts';

const permissionShape = z.object({ permission: z.string(), user: hostAuthor.optional() });

/** Of `maintain` the host says `write` here, of `triage` it says `read`. */
const mayWrite: ReadonlySet<string> = new Set(['admin', 'write']);

/** Whoever the host calls this has nothing that would let him write. */
const strangers: ReadonlySet<string> = new Set(['NONE', 'FIRST_TIMER', 'FIRST_TIME_CONTRIBUTOR', 'MANNEQUIN']);

const ASKED_AT_MOST = 30; // requests that one conversation may cost; authors beyond them count as strangers

export type IsWriter = (author: HostAuthor, association: string | undefined) => Promise<boolean>;

/**
 * Tells whether an author may write to the repository, asking the host once for each within a call. What it says beside a
 * text is not enough: a member of an organisation, and one who was invited, may have no more than the right to read. An
 * owner is one. Where the host does not tell (only who may push may ask), nobody else counts as one: the text of a
 * stranger that is taken for a writer's is an instruction, the other way round it is only left aside.
 */
export function writersOf(host: HostSession, repo: RepoName): IsWriter {
  const known = new Map<string, Promise<boolean>>();
  return async (author, association) => {
    if (author === null || author.type === 'Bot') return false;
    if (association === 'OWNER') return true;
    if (association !== undefined && strangers.has(association)) return false;
    const answer = known.get(author.id);
    if (answer !== undefined) return answer;
    if (known.size >= ASKED_AT_MOST) return false;
    const asked = asksHost(host, repo, author);
    known.set(author.id, asked);
    return asked;
  };
}

async function asksHost(host: HostSession, repo: RepoName, author: NonNullable<HostAuthor>): Promise<boolean> {
  try {
    const { data } = await host.ask({
      route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
      parameters: { ...repo, username: author.login },
      shape: permissionShape,
    });
    // A login can be given up, and taken by somebody else.
    return mayWrite.has(data.permission) && data.user?.id === author.id;
  } catch (error) {
    if (error instanceof AppError && doesNotTell.has(error.code)) return false;
    throw error;
  }
}

const doesNotTell: ReadonlySet<string> = new Set(['codehost_forbidden', 'codehost_not_found', 'codehost_refused']);
