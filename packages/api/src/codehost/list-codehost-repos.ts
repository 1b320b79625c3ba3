import { AppError } from '@sluice/core';
import * as z from 'zod';
import { queryInteger } from '../input/query-integer.ts';
import { text } from '../input/text.ts';
import { userProcedure } from '../procedure/procedure.ts';

const codehostRepoWire = z.object({
  id: z.string(),
  full_name: z.string(),
  private: z.boolean(),
  description: z.string().nullable(),
  default_branch: z.string(),
  url: z.string(),
  pushed_at: z.iso.datetime().nullable(),
  registered_repo_id: z.uuid().nullable(),
});

export const listCodehostRepos = userProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/codehost/repos',
      tags: ['codehost'],
      summary: 'List your repositories at the code host',
      description: '409 where the operator has configured no code host.',
    },
    limit: 'list_codehost_repos',
    refusals: [409],
  })
  .input(
    z.strictObject({
      page: queryInteger({ min: 1, max: 10_000 }).optional(),
      per_page: queryInteger({ min: 1, max: 100 }).optional(),
      q: text({ max: 200, line: true }).optional(),
    }),
  )
  .output(z.object({ items: z.array(codehostRepoWire), next_page: z.int().nullable() }))
  .query(() => {
    throw new AppError('codehost_not_configured');
  });
