import { AppError, type HostedPage, type HostedRepo } from '@sluice/core';
import { z } from 'zod';
import { filledPage, PER_PAGE } from './filled-page.ts';
import { repoName } from './host-address.ts';
import type { HostSession } from './host-session.ts';
import { hostedRepo, repoShape } from './repo-shape.ts';

/**
 * Repositories that the account can push to. The list has no search, and the host's search does not see all of what an
 * account may push to: so the list is read and chosen from here.
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
      const { data, next } = await host.ask({
        route: 'GET /user/repos',
        parameters: {
          affiliation: 'owner,collaborator,organization_member',
          sort: 'pushed',
          direction: 'desc',
          per_page: PER_PAGE,
          page,
        },
        shape: z.array(repoShape),
      });
      const wanted = data.filter(
        ({ permissions, full_name }) => permissions?.push === true && full_name.toLowerCase().includes(part),
      );
      return { items: wanted.map((repo) => hostedRepo(host.address, repo)), more: next !== null };
    },
  );
}

/** By the address that the host itself leads to from a name that a repository had before. */
export async function readRepoById(host: HostSession, id: string): Promise<HostedRepo> {
  if (!/^\d+$/.test(id)) throw new AppError('codehost_not_found');
  const asked = { route: 'GET /repositories/{repository_id}', parameters: { repository_id: id }, shape: repoShape };
  return hostedRepo(host.address, (await host.ask(asked)).data);
}

export async function readRepo(host: HostSession, fullName: string): Promise<HostedRepo> {
  const asked = { route: 'GET /repos/{owner}/{repo}', parameters: { ...repoName(fullName) }, shape: repoShape };
  return hostedRepo(host.address, (await host.ask(asked)).data);
}
