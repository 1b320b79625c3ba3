import { type HeldWorkspaces, holdWorkspaces } from '@sluice/agents';
import { AppError } from '@sluice/core';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';
import { StartError } from '../start-error.ts';

/**
 * Takes the folder of clones and working trees for this process, and frees its disk before the database is opened.
 *
 * @throws StartError when another process has it, or it cannot be made
 */
export async function holdWorkspacesDir(
  { dataDir, workspacesDir }: Pick<Config, 'dataDir' | 'workspacesDir'>,
  log: Logger,
): Promise<HeldWorkspaces> {
  const inDataDir = workspacesDir.startsWith(`${dataDir}/`);
  const [folder, variable] = inDataDir ? ['data folder', 'DATA_DIR'] : ['folder of working trees', 'WORKSPACES_DIR'];
  try {
    const held = await holdWorkspaces(workspacesDir);
    if (held.removed.length > 0) {
      log.warn(
        { removed: held.removed },
        'the disk of the working trees was nearly full: what can be made again was removed',
      );
    }
    return held;
  } catch (error) {
    if (error instanceof AppError) {
      const message = `Another Sluice process uses this ${folder}: stop it, or set ${variable} to another folder.`;
      throw new StartError(message, { cause: error });
    }
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    const message = `The ${folder} cannot be used (${code}): set ${variable} to a folder that this user may write.`;
    throw new StartError(message, { cause: error });
  }
}
