import type { Role } from '@sluice/core/access';
import type { HostedCollaborators, HostedPermission } from '@sluice/core/code-host';
import { hostedName } from '@sluice/core/repo';
import { isRefusal } from './host-error.ts';
import { currentRegistration, type RegisteredSubject, type SyncContext, type SyncEnd } from './sync-context.ts';

const roleBy = { read: 'viewer', write: 'approver', admin: 'admin' } as const satisfies Record<HostedPermission, Role>;
const NO_ACCESS: HostedCollaborators = { permissions: new Map(), complete: true };

/**
 * Brings the mirrored members of a registration up to date with the permissions at the code host. Where the setting is off, or
 * the host no longer shows the registrant's account who has access, no member keeps a mirrored role.
 *
 * @throws the signal's reason
 */
export async function syncMembers(
  work: SyncContext,
  { repo }: RegisteredSubject,
  signal: AbortSignal,
): Promise<SyncEnd> {
  const { members, signals, log } = work.deps;
  let refusal: unknown = null;
  const read = async (): Promise<HostedCollaborators> => {
    const name = hostedName(work.host, await currentRegistration(work, repo, signal));
    return await work.tokens.callAsUser(repo.userId, signal, (call) => work.host.collaborators(call, name));
  };
  const { permissions, complete } = !repo.settings.mirror_members
    ? NO_ACCESS
    : await read().catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        refusal = error;
        return NO_ACCESS;
      });
  await work.confirmClaim(); // a process that stood still holds an old list
  const roles = new Map([...permissions].map(([account, permission]) => [account, roleBy[permission]]));
  const { changed, leftOut } = await members.mirror({ repoId: repo.id, roles });
  for (const userId of changed) signals.accessChanged(userId);
  if (refusal !== null) throw refusal;
  if (leftOut > 0 || !complete) log.warn({ repoId: repo.id, leftOut, complete }, 'not all members could be mirrored');
  return 'done';
}
