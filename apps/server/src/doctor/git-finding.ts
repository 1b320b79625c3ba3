import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Finding, ok, problem } from './finding.ts';

const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 5_000;
const OLDEST = [2, 39] as const; // the oldest that the git rules were measured with

/** Whether there is a git on `PATH`, new enough. */
export async function gitFinding(): Promise<Finding> {
  let version: string;
  try {
    version = (await run('git', ['--version'], { timeout: VERSION_TIMEOUT_MS })).stdout.trim();
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return missing
      ? problem('git', 'is not on PATH', 'apt-get install git')
      : problem('git', '"git --version" fails', 'run it by hand to see why, or install git anew');
  }
  return isRecent(version)
    ? ok('git', version)
    : problem('git', `${version} is older than ${OLDEST.join('.')}`, 'install a newer git');
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
