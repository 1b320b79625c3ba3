import type { ControlGroup, ControlGroups } from '@sluice/core/workspace';
import { GROUP_LIMITS } from './git-limits.ts';

/**
 * Makes the control group that holds all git processes of this service together. One for all, as a group for each of
 * thousands of short calls leaves the kernel with thousands of dead ones, and each process has its own limits.
 *
 * @returns null where no group can be made: then the limits of each process hold alone
 */
export async function openGitGroup(groups: ControlGroups): Promise<ControlGroup | null> {
  await groups.sweep();
  if (!groups.memory && !groups.processes) return null;
  return groups.create({ ...GROUP_LIMITS, memberAlone: true }).catch(() => null);
}
