import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from './start-error.ts';

const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 5_000;

/** The first that can be told at which addresses to call a remote (`http.curloptResolve`). */
export const OLDEST_GIT = '2.37';

/**
 * What `git --version` says.
 *
 * @param path where git is looked for; default this process's own `PATH`
 * @throws the error of the call, ENOENT when there is no git
 */
export async function gitVersion(path?: string): Promise<string> {
  const env = path === undefined ? {} : { env: { PATH: path } };
  const { stdout } = await run('git', ['--version'], { timeout: VERSION_TIMEOUT_MS, ...env });
  return stdout.trim();
}

/** Whether a version, as git says it, is at least another, such as `2.37`. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = numbersOf(version);
  const [leastMajor = 0, leastMinor = 0] = numbersOf(oldest);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/**
 * Refuses a git that would resolve a name again after its addresses were checked: another answer could lead it into the
 * operator's own network. A git that is missing is left to `sluice doctor`: without it nothing is reached at all.
 *
 * @throws StartError
 */
export async function refuseOldGit(path: string): Promise<void> {
  const version = await gitVersion(path).catch(() => null);
  if (version === null || isAtLeast(version, OLDEST_GIT)) return;
  throw new StartError(
    `${version} is too old: it does not keep to the addresses that were checked. Install git ${OLDEST_GIT} or newer.`,
  );
}

function numbersOf(version: string): number[] {
  return (/(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number);
}
