import type { Role } from '@sluice/core/access';
import type { ChangedSubject, HostedCollaborators, HostedPermission } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import { hostedName } from '@sluice/core/repo';
import { isRefusal, isSkipped, toHostError } from './host-error.ts';
import { syncChangeRequest } from './sync-change-request.ts';
import {
  currentRegistration,
  type RegisteredSubject,
  type SyncContext,
  type SyncEnd,
  type SyncOutcome,
} from './sync-context.ts';
import { syncIssue } from './sync-issue.ts';

type Syncer = (work: SyncContext, subject: RegisteredSubject, signal: AbortSignal) => Promise<SyncEnd>;

const syncers: Readonly<Record<ChangedSubject['kind'], Syncer>> = {
  issue: syncIssue,
  change_request: syncChangeRequest,
  members: syncMembers,
};

/**
 * Syncs a changed subject for each registration of its repository, in the name of its user and by its settings. It acts on
 * the current state, not on the change: so it may run too often, too late and in several processes without repeating an effect.
 *
 * A failure of one registration does not affect the others.
 *
 * @throws the signal's reason
 */
export async function syncSubject(
  work: SyncContext,
  subject: ChangedSubject,
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const { codehostIndex, log } = work.deps;
  const { kind, number, codehostRepoId } = subject;
  const repoIds: RepoId[] = [];
  const failures: AppError[] = [];
  for (const repo of await codehostIndex.registrations(codehostRepoId)) {
    signal.throwIfAborted();
    try {
      if ((await syncers[kind](work, { repo, number }, signal)) === 'blocked') repoIds.push(repo.id);
    } catch (thrown) {
      signal.throwIfAborted();
      const error = toHostError(thrown);
      if (!isSkipped(error)) failures.push(error);
      else log.warn({ repoId: repo.id, kind, number, reason: error.message }, 'skipped a change at the code host');
    }
  }
  if (failures.length > 0) return { kind: 'failed', error: worst(failures) };
  return repoIds.length > 0 ? { kind: 'blocked', repoIds } : { kind: 'done' };
}

/** A failure that needs a person before one that passes by itself; of the latter the one that lasts longest. */
function worst(failures: readonly AppError[]): AppError {
  const other = failures.find(({ code }) => code !== 'codehost_busy');
  if (other !== undefined) return other;
  const waits = failures.map(({ details }) => details.retryAfterMs ?? 0);
  return new AppError('codehost_busy', { retryAfterMs: Math.max(...waits) });
}

const roleBy = { read: 'viewer', write: 'approver', admin: 'admin' } as const satisfies Record<HostedPermission, Role>;
const NO_ACCESS: HostedCollaborators = { permissions: new Map(), complete: true };

/**
 * Brings the mirrored members of a registration up to date with the permissions at the code host. Where the setting is off, or
 * the host no longer shows the registrant's account who has access, no member keeps a mirrored role.
 *
 * @throws the signal's reason
 */
async function syncMembers(work: SyncContext, { repo }: RegisteredSubject, signal: AbortSignal): Promise<SyncEnd> {
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
