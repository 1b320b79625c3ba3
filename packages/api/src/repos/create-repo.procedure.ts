import { type Repo, createRepo as registerRepo, repoWire, toRepoWire } from '@sluice/core/repo';
import * as z from 'zod';
import { registeredRepoRefusals, withCodeHostDeadline } from '../code-host/ask-code-host.ts';
import { answeredOnce } from '../idempotency/answered-once.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { accessTokenField, inspectorWithDeadline, newSettings, repoFields } from './repo-fields.wire.ts';

const repoResponse = (repo: Repo) => ({ body: toRepoWire(repo, 'admin'), location: `/api/repos/${repo.id}` });

/** More than is registered: a name of a nested group has a refusal of its own. */
const NAME_IN_GROUPS = /^(?!\.{1,2}\/)[\w.-]{1,100}(?:\/(?!\.{1,2}(?:\/|$))[\w.-]{1,100}){1,20}$/;

export const createRepo = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'POST',
      path: '/repos',
      tags: ['repos'],
      summary: 'Register a repository',
      description:
        'Send exactly one of `url` and `codehost_repo`. The second is accessed through your linked account at the code host, private or not, and takes no `access_token`. The repository is contacted first: if it cannot be reached, the answer is 400 with the reason. 409 when you have already registered it, by either member, and where the code host cannot be used in your name.',
    },
    limit: 'create_repo',
    status: 201,
    idempotent: true,
    headers: { Location: 'The path of the repository.' },
    refusals: ['repo_unreachable', 'remote_refused', 'base_branch_missing', 'repo_exists', ...registeredRepoRefusals],
    example: { body: { url: 'https://example.com/owner/name', test_command: 'npm test' } },
  })
  .input(
    z
      .strictObject({
        url: text({ min: 1, max: 2_000, line: true }).optional(),
        codehost_repo: z
          .string()
          .regex(NAME_IN_GROUPS, 'must be "owner/name"')
          .meta({ pattern: '^(?!\\.{1,2}\\/)[\\w.-]{1,100}\\/(?!\\.{1,2}$)[\\w.-]{1,100}$' })
          .optional(),
        access_token: accessTokenField.optional(),
        ...repoFields,
        settings: newSettings.optional(),
      })
      .refine((input) => (input.url === undefined) !== (input.codehost_repo === undefined), {
        path: ['url'],
        message: 'give exactly one of url and codehost_repo',
      })
      .refine((input) => input.codehost_repo === undefined || input.access_token === undefined, {
        path: ['access_token'],
        message: 'must not be sent with codehost_repo, which is accessed through your account there',
      }),
  )
  .output(repoWire)
  .mutation(async ({ ctx, input }) =>
    answeredOnce(ctx, { route: 'POST /api/repos', input, toResponse: repoResponse }, async (response) => {
      const { url, codehost_repo: codehostRepo, access_token: accessToken = null } = input;
      const draft = {
        source: url === undefined ? { codehostRepo: codehostRepo ?? '' } : { url, accessToken },
        defaultBranch: input.default_branch,
        setupCommand: input.setup_command,
        testCommand: input.test_command,
        instructions: input.instructions,
        settings: input.settings ?? newSettings.parse({}),
      };
      const { localReposFor } = ctx.options;
      const context = { ...ctx, localReposFor, remotes: inspectorWithDeadline(ctx.remotes) };
      const register = (signal: AbortSignal) => registerRepo(context, { draft, signal, by: ctx.by, response });
      const repo = await (url === undefined ? withCodeHostDeadline(ctx.signal, register) : register(ctx.signal));
      ctx.signals.accessChanged(ctx.caller.userId); // their streams show it from now on
      return repo;
    }),
  );
