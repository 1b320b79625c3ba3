import { buildNewsSchema, changeRequestStates, closeReasons } from '@sluice/core/code-host';
import { buildEnds, type ChangeRequestRecord } from '@sluice/core/outcome';
import * as z from 'zod';

const instantOrNull = z.iso.datetime().nullable();

export const closeWire = z.object({
  asked_at: instantOrNull.describe('When Sluice asked for the reason; null where it did not.'),
  reason: z.enum(closeReasons).nullable().describe('Null while no reason was given.'),
  note: z.string().nullable(),
  answered_by: z.uuid().nullable().describe('The user who gave the reason.'),
  answered_at: instantOrNull,
});

export const outcomeWire = z.object({
  number: z.int().describe('The number of the pull request.'),
  issue_id: z.uuid().describe('The issue that opened it.'),
  state: z.enum(changeRequestStates),
  opened_at: z.iso.datetime(),
  ready_at: instantOrNull.describe('When it was first ready for review.'),
  merged_at: instantOrNull,
  closed_at: instantOrNull,
  reverted_at: instantOrNull,
  people_commits: z.int().describe('Commits by people on top of ours.'),
  review_rounds: z.int().describe('Follow-ups that a comment or a review asked for.'),
  build_rounds: z.int().describe('Follow-ups that a failed build asked for.'),
  first_build: z.enum(buildEnds).nullable().describe('The first verdict of a build on a commit of ours.'),
  build: buildNewsSchema
    .nullable()
    .describe('The build of its head, as last seen while it was open; null where none is reported or followed.'),
  models: z.array(z.string()).describe('The models that worked on it.'),
  prompt_revision: z.string().nullable().describe('Names the words that the agents began with.'),
  approved_at_first_sight: z.boolean().nullable().describe('Whether the first plan was approved as it was.'),
  close: closeWire.nullable().describe('While it is closed without a merge: why; else null.'),
});

export function toOutcomeWire(record: ChangeRequestRecord): z.infer<typeof outcomeWire> {
  const { closeAskedAt, closeAnswer: answer } = record;
  return {
    number: record.number,
    issue_id: record.issueId,
    state: record.state,
    opened_at: record.openedAt.toISOString(),
    ready_at: isoOrNull(record.readyAt),
    merged_at: isoOrNull(record.mergedAt),
    closed_at: isoOrNull(record.closedAt),
    reverted_at: isoOrNull(record.revertedAt),
    people_commits: record.peopleCommits,
    review_rounds: record.reviewRounds,
    build_rounds: record.buildRounds,
    first_build: record.firstBuild,
    build: record.build,
    models: [...record.models],
    prompt_revision: record.promptRevision,
    approved_at_first_sight: record.atFirstSight,
    close:
      record.closedAt === null
        ? null
        : {
            asked_at: isoOrNull(closeAskedAt),
            reason: answer?.reason ?? null,
            note: answer?.note ?? null,
            answered_by: answer?.userId ?? null,
            answered_at: isoOrNull(answer?.at ?? null),
          },
  };
}

function isoOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
