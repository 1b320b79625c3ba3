import type { HostedRepo } from '@sluice/core/code-host';
import type { RepoId } from '@sluice/core/id';
import * as z from 'zod';
import { pageNumber, toHostedPage } from '../input/page-number.ts';
import { text } from '../input/text.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { askCodeHost, codeHostRefusals } from './ask-code-host.ts';

export const codehostRepoWire = z.object({
  id: z.string(),
  full_name: z.string().describe('`owner/name`, as `codehost_repo` takes it.'),
  private: z.boolean(),
  description: z.string().nullable(),
  default_branch: z.string(),
  url: z.string(),
  pushed_at: z.iso.datetime().nullable(),
  registered_repo_id: z.uuid().nullable().describe('Your registration of this repository, if there is one.'),
});

export const listCodehostRepos = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'GET',
      path: '/codehost/repos',
      tags: ['codehost'],
      summary: 'List your repositories at the code host',
      description:
        'Lists the repositories that your account there can push to, private ones included, last pushed first. 409 where no code host is configured, while you have linked no account (`codehost_not_linked`), or when the host rejects its token (`codehost_relink_needed`).',
    },
    limit: 'list_codehost_repos',
    refusals: codeHostRefusals,
  })
  .input(
    z.strictObject({
      ...pageNumber,
      q: text({ max: 200, line: true }).optional().describe('Part of the name; case does not matter.'),
    }),
  )
  .output(z.object({ items: z.array(codehostRepoWire), next_page: z.int().nullable() }))
  .query(async ({ ctx, input }) => {
    const asker = { userId: ctx.actor.user.id, signal: ctx.signal };
    const query = { ...toHostedPage(input), q: input.q?.trim() || null };
    const { items, nextPage } = await askCodeHost(ctx, asker, (host, call) => host.repos(call, query));
    const ids = items.map(({ id }) => id);
    const registered = await ctx.codehostIndex.registered(asker.userId, ids);
    return { items: items.map((repo) => toCodehostRepoWire(repo, registered.get(repo.id))), next_page: nextPage };
  });

function toCodehostRepoWire(repo: HostedRepo, registered: RepoId | undefined): z.infer<typeof codehostRepoWire> {
  return {
    id: repo.id,
    full_name: repo.fullName,
    private: repo.private,
    description: repo.description,
    default_branch: repo.defaultBranch,
    url: repo.url,
    pushed_at: repo.pushedAt?.toISOString() ?? null,
    registered_repo_id: registered ?? null,
  };
}
