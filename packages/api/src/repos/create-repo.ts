import { AppError, createRepo as registerRepo, repoWire, toRepoWire } from '@sluice/core';
import * as z from 'zod';
import { text } from '../input/text.ts';
import { userProcedure } from '../procedure/procedure.ts';
import { accessTokenField, newSettings, patientInspector, repoFields } from './repo-fields.wire.ts';

export const createRepo = userProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/repos',
      tags: ['repos'],
      summary: 'Register a repository',
      description:
        'Exactly one of `url` and `codehost_repo`. The repository is reached before it is registered: one that cannot be is a 400 that says why. 409 when you have registered it already.',
    },
    limit: 'create_repo',
    status: 201,
    headers: { Location: 'Where the repository is.' },
    refusals: [409],
    example: { body: { url: 'https://example.com/owner/name', test_command: 'npm test' } },
  })
  .input(
    z
      .strictObject({
        url: text({ min: 1, max: 2_000, line: true }).optional(),
        codehost_repo: z
          .string()
          .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, 'must be "owner/name"')
          .optional(),
        access_token: accessTokenField.optional(),
        ...repoFields,
        settings: newSettings.optional(),
      })
      .refine((input) => (input.url === undefined) !== (input.codehost_repo === undefined), {
        path: ['url'],
        message: 'give exactly one of url and codehost_repo',
      }),
  )
  .output(repoWire)
  .mutation(async ({ ctx, input }) => {
    if (input.url === undefined) throw new AppError('codehost_not_configured');
    const draft = {
      url: input.url,
      accessToken: input.access_token,
      defaultBranch: input.default_branch,
      setupCommand: input.setup_command,
      testCommand: input.test_command,
      instructions: input.instructions,
      settings: input.settings ?? newSettings.parse({}),
    };
    const context = { ...ctx, remotes: patientInspector(ctx.remotes) };
    const repo = await registerRepo(context, ctx.actor.user.id, { draft, signal: ctx.signal });
    ctx.appendHeader('Location', `/api/repos/${repo.id}`);
    return toRepoWire(repo);
  });
