import { authorizeRepo, deleteRepo as removeRepo, repoWire, toRepoWire } from '@sluice/core/repo';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

export const listRepos = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/repos',
      tags: ['repos'],
      summary: 'List your repositories, newest first',
      description:
        'Lists the repositories that you registered, and those of which you are a member. `active_issue_id` names the issue that is in progress on one.',
    },
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(repoWire))
  .query(async ({ ctx, input }) => {
    const page = await ctx.repos.list(ctx.caller, toPageRequest(input ?? {}));
    const roles = await ctx.members.rolesOf(ctx.caller);
    // One who has lost their role since the page was read is not shown the repository.
    const items = page.items.flatMap((repo) => {
      const role = roles.get(repo.id);
      return role === undefined ? [] : [{ repo, role }];
    });
    return toPageWire({ ...page, items }, ({ repo, role }) => toRepoWire(repo, role));
  });

export const getRepo = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/repos/{id}',
      tags: ['repos'],
      summary: 'Read a repository',
      description: 'With its settings and the state of its code index; never with its access token.',
    },
  })
  .input(z.strictObject({ id: resourceId }))
  .output(repoWire)
  .query(async ({ ctx, input }) => {
    const repo = await authorizeRepo(ctx, input.id, 'read');
    return toRepoWire(repo, repo.role);
  });

export const deleteRepo = scopedProcedure('admin')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/repos/{id}',
      tags: ['repos'],
      summary: 'Remove a repository with its issues',
      description:
        '409 while the repository has an active issue. Issues that were not started go with it, also those that wait for the repository.',
    },
    status: 204,
    refusals: ['repo_has_active_issue'],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(z.void())
  .mutation(async ({ ctx, input }) => removeRepo(ctx, await authorizeRepo(ctx, input.id, 'configure'), { by: ctx.by }));
