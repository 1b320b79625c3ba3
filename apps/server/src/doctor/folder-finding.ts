import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config/parse-config.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const GIB = 1024 ** 3;
const LITTLE_DISK_BYTES = GIB; // one clone and one build of a middling repository

/** Whether the data folder can be written, or made, and how much room it has. Makes nothing: a look changes nothing. */
export function dataFolderFinding(dataDir: string): Promise<Finding> {
  return folderFinding(dataDir, { subject: 'data folder', variable: 'DATA_DIR' });
}

/** The same of the folder of clones and trees, and whether commands can fill the disk of an embedded database. */
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
    const folder = await firstThatIsThere(path);
    // The trailing slash refuses a file of that name (ENOTDIR).
    await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const made = folder === path ? '' : ' (made at the first start)';
    const detail = `${path}${made}, ${(free / GIB).toFixed(1)} GiB free`;
    return free >= LITTLE_DISK_BYTES
      ? ok(subject, detail)
      : warning(subject, detail, `free some disk space, or set ${variable} to another disk`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return problem(
      subject,
      `${path} cannot be written (${code})`,
      `set ${variable} to a folder that this user may write`,
    );
  }
}

async function deviceOf(path: string): Promise<number | null> {
  return await firstThatIsThere(path).then(
    async (folder) => (await stat(folder)).dev,
    () => null,
  );
}

async function firstThatIsThere(path: string): Promise<string> {
  try {
    await access(path);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return await firstThatIsThere(dirname(path));
  }
}
