import type { CodeHostAccount, HostedCollaborators, HostedPermission } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { z } from 'zod';
import { firstPages } from '../client/first-pages.ts';
import { repoName } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { hostId } from './wire-values.ts';

const MAX_PAGES = 10; // a thousand accounts: twice the members that a repository may have

const permissionsSchema = z.object({
  pull: z.boolean().optional(),
  push: z.boolean().optional(),
  admin: z.boolean().optional(),
});
const collaboratorSchema = z.object({ id: hostId, permissions: permissionsSchema.optional() });

/** Everybody with access, whether invited, in a team or an owner of the organization. */
export async function readCollaborators(host: HostSession, fullName: string): Promise<HostedCollaborators> {
  const { items, complete } = await firstPages(
    host,
    {
      route: 'GET /repos/{owner}/{repo}/collaborators',
      parameters: { ...repoName(fullName), affiliation: 'all' },
      pages: MAX_PAGES,
    },
    z.array(collaboratorSchema),
  );
  const permissions = new Map<string, HostedPermission>();
  for (const { id, permissions: given } of items) {
    const permission = permissionIn(given ?? {});
    if (permission !== null) permissions.set(id, permission);
  }
  return { permissions, complete };
}

/** Maintainers count as writers, those who triage as readers. */
function permissionIn({ pull, push, admin }: z.output<typeof permissionsSchema>): HostedPermission | null {
  if (admin === true) return 'admin';
  if (push === true) return 'write';
  return pull === true ? 'read' : null;
}

/** A login of the host: letters, digits and single hyphens. Those of apps end in `[bot]`. */
const LOGIN = /^[\w-]{1,100}(?:\[bot\])?$/;

export async function readAccountNamed(
  host: HostSession,
  login: string,
  schema: z.ZodType<CodeHostAccount>,
): Promise<CodeHostAccount> {
  if (!LOGIN.test(login)) throw new AppError('codehost_not_found');
  return (await host.send({ route: 'GET /users/{username}', parameters: { username: login }, schema })).data;
}
