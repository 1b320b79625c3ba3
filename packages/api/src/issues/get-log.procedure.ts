import type { LogLine } from '@sluice/core/agent';
import { authorizeIssue } from '@sluice/core/issue';
import * as z from 'zod';
import { queryInteger } from '../input/query-integer.ts';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';

const PAGE = 1_000;

export const logPieceWire = z.object({
  seq: z.int(),
  command: z.string(),
  run_seq: z
    .int()
    .nullable()
    .describe('The number of the `command.started` of the run that wrote it; null where an earlier release did.'),
  stream: z.enum(['stdout', 'stderr']),
  text: z.string(),
  left_out: z
    .object({
      characters: z.int(),
      lines: z.int().describe('The ends of lines among them.'),
    })
    .nullable()
    .describe(
      'What is missing in this place of the output, because the beginning and the end of a long one are kept. Null in a piece of the output itself. The text tells it too.',
    ),
  at: z.iso.datetime(),
});

const logWire = z.object({
  items: z.array(logPieceWire),
  next_after: z.int().nullable().describe('Send it as `after` to read on; null when there is nothing more yet.'),
});
type LogWire = z.infer<typeof logWire>;

export const getLog = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/log',
      tags: ['issues'],
      summary: 'Read the output of the commands that ran',
      description: 'In the order in which it was written, in pages. As `text/plain` it is sent whole.',
    },
    text: {
      type: 'text/plain',
      description: 'The whole output as plain text.',
      text: ({ items }: LogWire) => items.map(({ text }) => text).join(''),
      next: ({ next_after }: LogWire) => (next_after === null ? null : { after: next_after }),
    },
  })
  .input(
    z.strictObject({
      id: resourceId,
      after: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })
        .optional()
        .describe('The number of the last piece that you have.'),
    }),
  )
  .output(logWire)
  .query(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'read');
    // One row beyond the page shows whether there is another page.
    const lines = await ctx.runs.log(issue.id, { after: input.after ?? 0, limit: PAGE + 1 });
    const items = lines.slice(0, PAGE).map(toLogPieceWire);
    return { items, next_after: lines.length > PAGE ? (items.at(-1)?.seq ?? null) : null };
  });

function toLogPieceWire({ runSeq, leftOut, at, ...line }: LogLine): z.infer<typeof logPieceWire> {
  return { ...line, run_seq: runSeq, left_out: leftOut, at: at.toISOString() };
}
