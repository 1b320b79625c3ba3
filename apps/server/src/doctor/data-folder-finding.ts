import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Finding, ok, problem, warning } from './finding.ts';

const SUBJECT = 'data folder';
const GIB = 1024 ** 3;
const LITTLE_DISK_BYTES = GIB; // one clone and one build of a middling repository

/** Whether the data folder can be written, or made, and how much room it has. Makes nothing: a look changes nothing. */
export async function dataFolderFinding(dataDir: string): Promise<Finding> {
  try {
    const folder = await firstThatIsThere(dataDir);
    // The trailing slash refuses a file of that name (ENOTDIR).
    await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const made = folder === dataDir ? '' : ' (made at the first start)';
    const detail = `${dataDir}${made}, ${(free / GIB).toFixed(1)} GiB free`;
    return free >= LITTLE_DISK_BYTES
      ? ok(SUBJECT, detail)
      : warning(SUBJECT, detail, 'free some disk space, or set DATA_DIR to another disk');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return problem(
      SUBJECT,
      `${dataDir} cannot be written (${code})`,
      'set DATA_DIR to a folder that this user may write',
    );
  }
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
