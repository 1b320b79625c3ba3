import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from './start-error.ts';

const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 5_000;

/** The first version that can be pinned to given addresses of a remote (`http.curloptResolve`). */
export const OLDEST_GIT = '2.37';

/**
 * The output of `git --version`.
 *
 * @param path the `PATH` to search for git; this process's own by default
 * @throws the error of the call, ENOENT when there is no git
 */
export async function gitVersion(path?: string): Promise<string> {
  const env = path === undefined ? {} : { env: { PATH: path } };
  const { stdout } = await run('git', ['--version'], { timeout: VERSION_TIMEOUT_MS, ...env });
  return stdout.trim();
}

/** Whether a version, as git prints it, is at least `oldest`, such as `2.37`. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = numbersOf(version);
  const [leastMajor = 0, leastMinor = 0] = numbersOf(oldest);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/**
 * Refuses a git that resolves a host name again after its addresses were checked: the second answer could point into the
 * operator's network (DNS rebinding). A missing git is reported by `sluice doctor`; without git no remote is reached.
 *
 * @throws StartError
 */
export async function refuseOldGit(path: string): Promise<void> {
  const version = await gitVersion(path).catch(() => null);
  if (version === null || isAtLeast(version, OLDEST_GIT)) return;
  throw new StartError(
    `${version} is too old: it cannot be pinned to the addresses that were checked. Install git ${OLDEST_GIT} or newer.`,
  );
}

function numbersOf(version: string): number[] {
  return (/(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number);
}
