import { remoteErrorCodes } from '@sluice/core/error';
import { authorizeIssue, compareBaseAtGate } from '@sluice/core/issue';
import * as z from 'zod';
import { registeredRepoRefusals } from '../code-host/ask-code-host.ts';
import { resourceId } from '../input/resource-id.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { basesWithDeadline } from './bases-with-deadline.ts';

export const comparedBaseWire = z.object({
  branch: z.string().describe('The base branch of the issue.'),
  base_commit: z
    .string()
    .nullable()
    .describe('The commit that the plan was made for; null at a gate of an old version, which does not know it.'),
  current_commit: z.string().nullable().describe('The newest commit of the branch; null where nothing was compared.'),
  moved: z.boolean().describe('The branch has another commit than the plan was made for.'),
  files_changed: z.int().min(0).describe('How many files differ between the two commits.'),
  planned_files: z
    .array(z.string())
    .describe(
      'The changed files that the plan changes too. If there are any, an `approve` of the plan is answered 409 `plan_stale`.',
    ),
});

export const compareIssueBase = scopedProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/issues/{id}/base',
      tags: ['issues'],
      summary: 'Compare the base of the plan with its branch',
      description:
        'Reads the branch at the remote, so that an approver learns before the decision whether an `approve` would be refused as `plan_stale`. 409 unless the issue is `awaiting_approval`; 502 when the repository cannot be reached.',
    },
    limit: 'compare_base',
    refusals: [
      'issue_not_awaiting_approval',
      'base_branch_gone',
      'repo_token_unreadable',
      ...registeredRepoRefusals,
      'remote_refused',
      ...remoteErrorCodes,
      'disk_full',
    ],
  })
  .input(z.strictObject({ id: resourceId }))
  .output(comparedBaseWire)
  .query(async ({ ctx, input }) => {
    const issue = await authorizeIssue(ctx, input.id, 'read');
    const context = { ...ctx, bases: basesWithDeadline(ctx.bases) };
    const found = await compareBaseAtGate(context, issue, ctx.signal);
    return {
      branch: issue.baseBranch,
      base_commit: found?.baseCommit ?? null,
      current_commit: found?.currentCommit ?? null,
      moved: found !== null && found.currentCommit !== found.baseCommit,
      files_changed: found?.filesChanged ?? 0,
      planned_files: [...(found?.plannedFiles ?? [])],
    };
  });
