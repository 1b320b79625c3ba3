import { type Caller, type RoleReader, roleOf } from '../access/caller.ts';
import { includesRole, repoActs } from '../access/role.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { proposedCommands } from '../pipeline/plan.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import type { Issue } from './issue.ts';

export interface KeepCommandsContext {
  readonly repos: RepoStore;
  readonly members: RoleReader;
  /** Who decides, with the limits of their token. */
  readonly caller: Caller;
}

/**
 * The repository keeps the commands that the approved plan proposes, unless it has its own by now, and if the approver may change
 * its settings. The issue itself goes by its plan, so nothing is lost if this is not written.
 */
export async function keepCommands(
  context: KeepCommandsContext,
  { plan, repoId }: Issue,
  by: Initiator,
): Promise<void> {
  const { setup_command, test_command } = plan === null ? {} : proposedCommands(plan);
  if (setup_command === undefined && test_command === undefined) return;
  const { repos, caller } = context;
  const role = await roleOf(context, caller, repoId);
  if (role === null || !includesRole(role, repoActs.configure)) return;
  const repo = await repos.get(repoId);
  if (repo === null) return;
  const keepsSetup = setup_command !== undefined && repo.setupCommand === null;
  const keepsTest = test_command !== undefined && repo.testCommand === null;
  const fields = [...(keepsSetup ? ['setup_command'] : []), ...(keepsTest ? ['test_command'] : [])];
  if (fields.length === 0) return;
  const kept = repos.update(
    repoId,
    { ...(keepsSetup && { setupCommand: setup_command }), ...(keepsTest && { testCommand: test_command }) },
    (name) =>
      auditEntry(
        by,
        { action: 'repo.changed', subjectId: repoId, detail: { name, fields } },
        neededOnRepo('configure', repo),
      ),
  );
  await kept.catch((error: unknown) => {
    // The decision has been made; they are no admin any more.
    if (!(error instanceof AppError) || !isAccessLost(error)) throw error;
  });
}

function isAccessLost({ code }: AppError): boolean {
  return code === 'not_owner' || code === 'role_insufficient';
}
