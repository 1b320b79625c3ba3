import { repoWire, toRepoWire } from '@sluice/core';
import * as z from 'zod';
import { pageQuery, pageWire, toPageRequest, toPageWire } from '../input/page-query.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const listRepos = userProcedure
  .meta({
    openapi: { method: 'GET', path: '/repos', tags: ['repos'], summary: 'List your repositories, newest first' },
  })
  .input(z.strictObject(pageQuery).optional())
  .output(pageWire(repoWire))
  .query(async ({ ctx, input }) =>
    toPageWire(await ctx.repos.list(ctx.actor.user.id, toPageRequest(input ?? {})), toRepoWire),
  );
