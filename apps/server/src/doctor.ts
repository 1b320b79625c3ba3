import { execFile } from 'node:child_process';
import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { SandboxProbe } from '@sluice/core';
import { probeSandbox } from './compose.ts';
import { type Config, ConfigError } from './config/parse-config.ts';
import { type LoadConfigOptions, loadConfig } from './config.ts';

const run = promisify(execFile);

export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** The command or change that mends it. */
  readonly mend: string | null;
}

export interface Diagnosis {
  /** No finding is a problem. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
}

const VERSION_TIMEOUT_MS = 5_000;
const OLDEST_GIT = [2, 39]; // the oldest that the git rules were measured with
const LITTLE_DISK_BYTES = 1024 ** 3; // one clone and one build of a middling repository

/** Looks at all that this installation needs, and says how to mend what is missing. */
export async function diagnose(options: LoadConfigOptions = {}): Promise<Diagnosis> {
  const findings: Finding[] = [ok('node', process.version), await gitFinding()];
  const config = readConfig(options, findings);
  if (config !== null) {
    findings.push(await dataDirFinding(config));
    findings.push(...sandboxFindings(await probeSandbox(config)));
  }
  return { healthy: findings.every(({ state }) => state !== 'problem'), findings };
}

function readConfig(options: LoadConfigOptions, findings: Finding[]): Config | null {
  try {
    const config = loadConfig(options);
    findings.push(ok('configuration', `listens on ${config.host}:${config.port}, registration ${config.registration}`));
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const text of error.problems)
      findings.push(problem('configuration', text, 'correct the variable in the environment or in .env'));
    return null;
  }
}

async function gitFinding(): Promise<Finding> {
  try {
    const { stdout } = await run('git', ['--version'], { timeout: VERSION_TIMEOUT_MS });
    const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout)?.slice(1) ?? []).map(Number);
    const [oldestMajor = 0, oldestMinor = 0] = OLDEST_GIT;
    const recent = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
    if (recent) return ok('git', stdout.trim());
    return problem('git', `${stdout.trim()} is older than ${OLDEST_GIT.join('.')}`, 'install a newer git');
  } catch {
    return problem('git', 'is not installed', 'apt-get install git');
  }
}

async function dataDirFinding(config: Config): Promise<Finding> {
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    await access(config.dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(config.dataDir);
    const free = bavail * bsize;
    const detail = `${config.dataDir}, ${(free / 1024 ** 3).toFixed(1)} GiB free`;
    if (free >= LITTLE_DISK_BYTES) return ok('data folder', detail);
    return {
      subject: 'data folder',
      state: 'warning',
      detail,
      mend: 'free some disk space, or set DATA_DIR to another disk',
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return problem(
      'data folder',
      `${config.dataDir} cannot be written (${code})`,
      'set DATA_DIR to a folder that this user may write',
    );
  }
}

function sandboxFindings(probe: SandboxProbe): Finding[] {
  if (!probe.usable)
    return [
      problem('sandbox', probe.problem ?? 'does not work', 'see above; until then no command of a repository is run'),
    ];
  const held: Finding =
    probe.kind === 'none'
      ? {
          subject: 'sandbox',
          state: 'warning',
          detail: 'SANDBOX=none: commands of repositories run with your rights',
          mend: 'unset SANDBOX',
        }
      : ok('sandbox', `bubblewrap, really tried`);
  const gaps = probe.gaps.map((gap): Finding => ({ subject: 'sandbox', state: 'warning', detail: gap, mend: null }));
  return [
    held,
    ...gaps,
    ok('toolchains', probe.readPaths.length === 0 ? 'those in /usr' : `/usr, ${probe.readPaths.join(', ')}`),
  ];
}

function ok(subject: string, detail: string): Finding {
  return { subject, state: 'ok', detail, mend: null };
}

function problem(subject: string, detail: string, mend: string): Finding {
  return { subject, state: 'problem', detail, mend };
}
