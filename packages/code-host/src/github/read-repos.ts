import type { HostedName, HostedPage, HostedRepo } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { z } from 'zod';
import { filledPage, PER_PAGE } from '../client/filled-page.ts';
import { type HostAddress, repoName } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { hostDate, hostId } from './wire-values.ts';

/**
 * Repositories that the account can push to. The list cannot be searched at the host, and the host's search does not find
 * all repositories that an account can push to, so the list is filtered here.
 */
export function readRepos(
  host: HostSession,
  query: { page: number; perPage: number; q: string | null },
): Promise<HostedPage<HostedRepo>> {
  const part = query.q?.trim().toLowerCase() ?? '';
  return filledPage(
    query,
    (repo) => repo.id,
    async (page) => {
      const { data, next } = await host.send({
        route: 'GET /user/repos',
        parameters: {
          affiliation: 'owner,collaborator,organization_member',
          sort: 'pushed',
          direction: 'desc',
          per_page: PER_PAGE,
          page,
        },
        schema: z.array(repoSchema),
      });
      const writable = data.filter(
        ({ permissions, full_name }) => permissions?.push === true && full_name.toLowerCase().includes(part),
      );
      return { items: writable.map((repo) => hostedRepo(host.address, repo)), more: next !== null };
    },
  );
}

/** Reads a repository by id, which stays the same when it is renamed. */
export async function readRepoById(host: HostSession, id: string): Promise<HostedRepo> {
  if (!/^\d+$/.test(id)) throw new AppError('codehost_not_found');
  const request = { route: 'GET /repositories/{repository_id}', parameters: { repository_id: id }, schema: repoSchema };
  return hostedRepo(host.address, (await host.send(request)).data);
}

export async function readRepo(host: HostSession, fullName: string): Promise<HostedRepo> {
  const request = { route: 'GET /repos/{owner}/{repo}', parameters: { ...repoName(fullName) }, schema: repoSchema };
  return hostedRepo(host.address, (await host.send(request)).data);
}

const repoSchema = z.object({
  id: hostId,
  full_name: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/)
    .transform((name) => name as HostedName),
  private: z.boolean(),
  description: z.string().nullish(),
  default_branch: z.string().min(1),
  pushed_at: hostDate.nullish(),
  permissions: z.object({ push: z.boolean().optional() }).optional(),
});

/** The URL is built from the configured one and the name: git sends the token there, so it must not come from a response. */
function hostedRepo({ web }: HostAddress, repo: z.output<typeof repoSchema>): HostedRepo {
  return {
    id: repo.id,
    fullName: repo.full_name,
    private: repo.private,
    description: repo.description ?? null,
    defaultBranch: repo.default_branch,
    url: `${web}/${repo.full_name}`,
    pushedAt: repo.pushed_at ?? null,
  };
}
