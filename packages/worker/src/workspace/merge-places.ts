import type { Workspace } from '@sluice/core/workspace';

/*
 * A follow-up that merges the base branch works on three trees: the merge as git makes it, to which a reset leads; the commit
 * that is merged, which its tests are compared with; and the merge as it is published. For other work the first two are the base.
 */

/** Puts the tree to what the tests of the change are compared with: failures of the new base are not the merge's. */
export async function placeCompared(workspace: Workspace, signal: AbortSignal): Promise<void> {
  const { merge } = workspace;
  if (merge === null) await workspace.reset(signal);
  else await workspace.mix({ commit: merge.commit, from: merge.commit, paths: [] }, signal);
}

/**
 * Before commands are found and what they need is installed: a merge may bring other manifests. With conflicts in it those may
 * not be readable, so then the merged commit's count. Does nothing for other work.
 */
export async function placeForSetup(workspace: Workspace, signal: AbortSignal): Promise<void> {
  if (workspace.merge === null) return;
  const { conflicts } = await workspace.merge.outcome(signal);
  if (conflicts.length === 0) await workspace.reset(signal);
  else await placeCompared(workspace, signal);
}

const MAX_LINES = 200; // two of each conflict; more of them mean the same

/** The files in which the lines that git puts around a conflict of this merge are left, sorted; none for other work. */
export async function unsettledFiles(
  { merge, baseCommit, files }: Workspace,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (merge === null) return [];
  const query = { pattern: `^(<{7}|>{7}) (${baseCommit}|${merge.commit})`, literal: false, ignoreCase: false };
  const { lines } = await files.grep({ ...query, path: null, glob: null, context: 0, limit: MAX_LINES }, signal);
  return [...new Set(lines.map(({ path }) => path))].sort();
}
