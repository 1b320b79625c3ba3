import { authorizeRepo, updateRepo as changeRepo, repoWire, toRepoWire } from '@sluice/core/repo';
import * as z from 'zod';
import { registeredRepoRefusals, withCodeHostDeadline } from '../code-host/ask-code-host.ts';
import { resourceId } from '../input/resource-id.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { accessTokenField, changedSettings, inspectorWithDeadline, repoFields } from './repo-fields.wire.ts';

export const updateRepo = scopedProcedure('admin')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/repos/{id}',
      tags: ['repos'],
      summary: 'Change a repository',
      description:
        'Absent members stay as they are, also within `settings`. A new default branch or token is checked against the remote first. A repository of the code host takes no `access_token` (400).',
    },
    refusals: [
      'repo_unreachable',
      'remote_refused',
      'base_branch_missing',
      'repo_token_unreadable',
      ...registeredRepoRefusals,
    ],
    example: { body: { test_command: 'npm test', settings: { allow_red_base: true } } },
  })
  .input(
    z.strictObject({
      id: resourceId,
      name: text({ min: 1, max: 200, line: true }).optional(),
      access_token: accessTokenField.nullable().optional(),
      ...repoFields,
      settings: changedSettings.optional(),
    }),
  )
  .output(repoWire)
  .mutation(async ({ ctx, input }) => {
    const repo = await authorizeRepo(ctx, input.id, 'configure');
    const change = {
      name: input.name,
      accessToken: input.access_token,
      defaultBranch: input.default_branch,
      setupCommand: input.setup_command,
      testCommand: input.test_command,
      instructions: input.instructions,
      settings: input.settings,
    };
    const context = { ...ctx, remotes: inspectorWithDeadline(ctx.remotes) };
    const apply = (signal: AbortSignal) => changeRepo(context, repo, { change, by: ctx.by, signal });
    return toRepoWire(await withCodeHostDeadline(ctx.signal, apply), repo.role);
  });
