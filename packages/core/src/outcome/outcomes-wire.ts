import * as z from 'zod';
import { outcomeFiguresSchema } from './outcome-figures.ts';
import { type OutcomeGrouping, outcomeGroupings } from './outcome-store.ts';
import type { Outcomes } from './read-outcomes.ts';

export const outcomeGroupWire = outcomeFiguresSchema.extend({
  group: z
    .string()
    .nullable()
    .describe('The name of the repository, the models or the prompt revision; null where it was not recorded.'),
  repo_id: z.uuid().nullable().describe('The id of the repository, where the outcomes are grouped by repository.'),
});

/** Outcomes as clients get them. */
export const outcomesWire = z.object({
  group_by: z.enum(outcomeGroupings).nullable(),
  period: z
    .object({
      from: z.iso.datetime().nullable().describe('At this time or later; null: ever.'),
      to: z.iso.datetime().nullable().describe('Before this time; null: until now.'),
    })
    .describe('When the pull requests were opened that are counted.'),
  total: outcomeFiguresSchema,
  groups: z
    .array(outcomeGroupWire)
    .describe('In the order of their first pull requests. They add up to the total. Empty when nothing is grouped.'),
});
export type OutcomesWire = z.infer<typeof outcomesWire>;

export function toOutcomesWire({ period, total, groups }: Outcomes, groupBy: OutcomeGrouping | null): OutcomesWire {
  return {
    group_by: groupBy,
    period: { from: period.from?.toISOString() ?? null, to: period.to?.toISOString() ?? null },
    total,
    groups: groups.map(({ name, repoId, figures }) => ({ group: name, repo_id: repoId, ...figures })),
  };
}
