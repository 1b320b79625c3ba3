import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config/parse-config.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const GIB = 1024 ** 3;
const MIN_FREE_BYTES = GIB; // one clone and one build of a medium-sized repository

/** Whether the data folder is writable or can be created, and its free space. Creates nothing. */
export function dataFolderFinding(dataDir: string): Promise<Finding> {
  return folderFinding(dataDir, { subject: 'data folder', variable: 'DATA_DIR' });
}

/** The same for the folder of working trees, and whether commands can fill the disk of an embedded database. */
export async function workspacesFinding(
  config: Pick<Config, 'dataDir' | 'workspacesDir' | 'databaseUrl'>,
): Promise<Finding> {
  const finding = await folderFinding(config.workspacesDir, { subject: 'working trees', variable: 'WORKSPACES_DIR' });
  if (finding.state === 'problem' || config.databaseUrl !== null) return finding;
  const [trees, data] = await Promise.all([config.workspacesDir, config.dataDir].map(deviceOf));
  if (trees !== data) return finding;
  return { ...finding, detail: `${finding.detail}, on the file system of the database (WORKSPACES_DIR sets another)` };
}

async function folderFinding(path: string, names: { subject: string; variable: string }): Promise<Finding> {
  const { subject, variable } = names;
  try {
    const folder = await nearestExisting(path);
    // The trailing slash refuses a file of that name (ENOTDIR).
    await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const made = folder === path ? '' : ' (created at the first start)';
    const detail = `${path}${made}, ${(free / GIB).toFixed(1)} GiB free`;
    return free >= MIN_FREE_BYTES
      ? ok(subject, detail)
      : warning(subject, detail, `free some disk space, or set ${variable} to another disk`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return problem(
      subject,
      `${path} is not writable (${code})`,
      `set ${variable} to a folder that this user can write to`,
    );
  }
}

async function deviceOf(path: string): Promise<number | null> {
  return await nearestExisting(path).then(
    async (folder) => (await stat(folder)).dev,
    () => null,
  );
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await access(path);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return await nearestExisting(dirname(path));
  }
}
