import { gitVersion, isAtLeast, OLDEST_GIT } from '../process/git-version.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const OLDEST_TESTED = '2.39';
const MEND = 'install a newer git';

/** Whether there is a git on `PATH`, new enough. */
export async function gitFinding(): Promise<Finding> {
  let version: string;
  try {
    version = await gitVersion();
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return missing
      ? problem('git', 'is not on PATH', 'apt-get install git')
      : problem('git', '"git --version" fails', 'run it by hand to see why, or install git anew');
  }
  if (!isAtLeast(version, OLDEST_GIT)) {
    return problem('git', `${version} is older than ${OLDEST_GIT}, and the server does not start with it`, MEND);
  }
  if (isAtLeast(version, OLDEST_TESTED)) return ok('git', version);
  return warning('git', `${version} is older than ${OLDEST_TESTED}, the oldest that is tested`, MEND);
}
