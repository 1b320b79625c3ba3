import * as z from 'zod';
import { outcomeFiguresSchema } from './outcome-figures.ts';
import { type OutcomeGrouping, type Outcomes, outcomeGroupings } from './read-outcomes.ts';

export const outcomeGroupWire = outcomeFiguresSchema.extend({
  group: z
    .string()
    .nullable()
    .describe('The name of the repository, the models or the prompt revision; null where it was not recorded.'),
  repo_id: z.uuid().nullable().describe('Of a group by repository.'),
});

/** Outcomes as clients get them. */
export const outcomesWire = z.object({
  group_by: z.enum(outcomeGroupings).nullable(),
  total: outcomeFiguresSchema,
  groups: z
    .array(outcomeGroupWire)
    .describe('In the order of their first pull requests. They add up to the total. Empty when nothing is grouped.'),
});
export type OutcomesWire = z.infer<typeof outcomesWire>;

export function toOutcomesWire({ total, groups }: Outcomes, groupBy: OutcomeGrouping | null): OutcomesWire {
  return {
    group_by: groupBy,
    total,
    groups: groups.map(({ name, repoId, figures }) => ({ group: name, repo_id: repoId, ...figures })),
  };
}
