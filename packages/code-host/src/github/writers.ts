import { AppError } from '@sluice/core/error';
import { z } from 'zod';
import type { RepoName } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { type HostAuthor, hostAuthor } from './wire-values.ts';

const permissionSchema = z.object({ permission: z.string(), user: hostAuthor.optional() });

/** The host reports `maintain` as `write`, and `triage` as `read`. */
const mayWrite: ReadonlySet<string> = new Set(['admin', 'write']);

/** Associations without write access. */
const strangers: ReadonlySet<string> = new Set(['NONE', 'FIRST_TIMER', 'FIRST_TIME_CONTRIBUTOR', 'MANNEQUIN']);

const MAX_REQUESTS = 30; // for one conversation; further authors count as strangers

export type IsWriter = (author: HostAuthor, association: string | undefined) => Promise<boolean>;

/**
 * Checks whether an author can write to the repository, with one request for each author in a call. The association in a
 * comment is not enough: a member of an organization or a collaborator may have read access only; an owner can write. If
 * the host does not tell (only users who can push may ask), authors count as strangers: taking a stranger's text for a
 * writer's would make it an instruction, while the reverse only ignores it.
 */
export function writersOf(host: HostSession, repo: RepoName): IsWriter {
  const known = new Map<string, Promise<boolean>>();
  return async (author, association) => {
    if (author === null || author.type === 'Bot') return false;
    if (association === 'OWNER') return true;
    if (association !== undefined && strangers.has(association)) return false;
    const cached = known.get(author.id);
    if (cached !== undefined) return cached;
    if (known.size >= MAX_REQUESTS) return false;
    const checked = checkPermission(host, repo, author);
    known.set(author.id, checked);
    return checked;
  };
}

async function checkPermission(host: HostSession, repo: RepoName, author: NonNullable<HostAuthor>): Promise<boolean> {
  try {
    const { data } = await host.send({
      route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
      parameters: { ...repo, username: author.login },
      schema: permissionSchema,
    });
    // A login can be released and then taken by another account.
    return mayWrite.has(data.permission) && data.user?.id === author.id;
  } catch (error) {
    if (error instanceof AppError && isUnknown.has(error.code)) return false;
    throw error;
  }
}

const isUnknown: ReadonlySet<string> = new Set(['codehost_forbidden', 'codehost_not_found', 'codehost_refused']);
