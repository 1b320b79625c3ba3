import {
  DEFAULT_OUTCOME_DAYS,
  outcomeGroupings,
  outcomesCsv,
  outcomesWire,
  readOutcomes as readFigures,
  toOutcomesWire,
} from '@sluice/core/outcome';
import { authorizeRepo } from '@sluice/core/repo';
import * as z from 'zod';
import { instant } from '../input/instant.ts';
import { idField } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

export const readOutcomes = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/outcomes',
      tags: ['outcomes'],
      summary: 'Read what became of your pull requests',
      description: `Counts the pull requests that were opened in a period in your repositories and those of which you are a member: how many were merged, closed and reverted, and what people and builds had to say. Without \`from\` and \`to\` the period is the last ${DEFAULT_OUTCOME_DAYS} days; \`period\` names it. Pull requests of deleted issues and repositories are not counted. There is no grouping by person.`,
    },
    refusals: ['repo_not_found', 'not_owner'],
    text: {
      type: 'text/csv',
      description: 'A row for each group, or one for all; with the names of the members as its first row.',
      text: outcomesCsv,
      headers: { 'Content-Disposition': 'attachment; filename="outcomes.csv"' },
    },
  })
  .input(
    z
      .strictObject({
        repo_id: idField.optional().describe('Restricts the answer to one repository.'),
        from: instant.optional().describe('Opened at this time or later.'),
        to: instant.optional().describe('Opened before this time.'),
        group_by: z
          .enum(outcomeGroupings)
          .optional()
          .describe('`model`: a change that several models made is in a group with the names of all.'),
      })
      .optional(),
  )
  .output(outcomesWire)
  .query(async ({ ctx, input: { repo_id, from, to, group_by = null } = {} }) => {
    const question = {
      caller: ctx.caller,
      repoId: repo_id === undefined ? null : (await authorizeRepo(ctx, repo_id, 'read')).id,
      from: from === undefined ? null : new Date(from),
      to: to === undefined ? null : new Date(to),
      groupBy: group_by,
      signal: ctx.signal,
    };
    return toOutcomesWire(await readFigures(ctx, question), group_by);
  });
