import type { SandboxProbe } from '@sluice/core/workspace';
import { type Config, ConfigError } from '../config/parse-config.ts';
import { gitVersion, isAtLeast, OLDEST_GIT } from '../process/git-version.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const OLDEST_TESTED = '2.39';
const FIX = 'install a newer git';

/** Whether `PATH` has a git that is new enough. */
export async function gitFinding(): Promise<Finding> {
  let version: string;
  try {
    version = await gitVersion();
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return missing
      ? problem('git', 'is not on PATH', 'apt-get install git')
      : problem('git', '"git --version" fails', 'run it by hand to see why, or reinstall git');
  }
  if (!isAtLeast(version, OLDEST_GIT)) {
    return problem('git', `${version} is older than ${OLDEST_GIT}, with which the server does not start`, FIX);
  }
  if (isAtLeast(version, OLDEST_TESTED)) return ok('git', version);
  return warning('git', `${version} is older than ${OLDEST_TESTED}, the oldest tested version`, FIX);
}

/** Loads the configuration: its findings, and the configuration itself unless it has a problem. */
export function configurationFindings(load: () => Config): { config: Config | null; findings: Finding[] } {
  try {
    const config = load();
    const detail = `listens on ${config.host}:${config.port}, registration ${config.registration}`;
    return { config, findings: [ok('configuration', detail)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = 'correct it; "sluice config" shows where each variable is set';
    return { config: null, findings: error.problems.map((text) => problem('configuration', text, fix)) };
  }
}

/** Whether commands of repositories run in a sandbox, with which gaps, and which toolchains they see. */
export function sandboxFindings(probe: SandboxProbe): Finding[] {
  if (!probe.usable) {
    const fix = 'follow this advice; until then, no command of a repository runs';
    return [problem('sandbox', probe.problem ?? 'does not work', fix)];
  }
  const isolation =
    probe.kind === 'none'
      ? warning('sandbox', 'SANDBOX=none: commands of repositories run with your rights', 'unset SANDBOX')
      : ok('sandbox', 'bubblewrap, tested');
  return [
    isolation,
    ...probe.gaps.map((gap) => warning('sandbox', gap, null)),
    ok('toolchains', ['/usr', ...probe.readPaths].join(', ')),
  ];
}
