import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import { type HeldWorkspaces, holdWorkspaces } from '@sluice/workspace';
import type { Config } from '../config/parse-config.ts';
import { StartError } from '../process/start-error.ts';

/**
 * Locks the folder of clones and working trees for this process, and frees its disk before the database is opened.
 *
 * @throws StartError when another process uses it, or it cannot be created
 */
export async function holdWorkspacesDir(config: Pick<Config, 'dataDir' | 'workspacesDir'>): Promise<HeldWorkspaces> {
  const { workspacesDir } = config;
  const [folder, variable] = isDefaultWorkspacesDir(config)
    ? ['data folder', 'DATA_DIR']
    : ['folder of working trees', 'WORKSPACES_DIR'];
  try {
    return await holdWorkspaces(workspacesDir);
  } catch (error) {
    if (error instanceof AppError) {
      const message = `Another Sluice process uses this ${folder}: stop it, or set ${variable} to another folder.`;
      throw new StartError(message, { cause: error, isInUse: true });
    }
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    const message = `The ${folder} cannot be used (${code}): set ${variable} to a folder that this user can write to.`;
    throw new StartError(message, { cause: error });
  }
}

/** Whether clones and working trees are inside the data folder, where a restore removes them. */
export function isDefaultWorkspacesDir({ dataDir, workspacesDir }: Pick<Config, 'dataDir' | 'workspacesDir'>): boolean {
  return workspacesDir === join(dataDir, 'workspaces');
}
