import { authorizeRepo, repoWire, toRepoWire } from '@sluice/core';
import * as z from 'zod';
import { resourceId } from '../input/resource-id.ts';
import { userProcedure } from '../procedure/procedure.ts';

export const getRepo = userProcedure
  .meta({ openapi: { method: 'GET', path: '/repos/{id}', tags: ['repos'], summary: 'Read a repository' } })
  .input(z.strictObject({ id: resourceId }))
  .output(repoWire)
  .query(async ({ ctx, input }) => toRepoWire(await authorizeRepo(ctx, ctx.actor.user.id, input.id)));
