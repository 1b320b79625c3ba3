import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, type SandboxCommand, type SandboxResult } from '@sluice/core';

/** Who a probe's tree belongs to when the service is root: nobody. */
const nobody = 65_534;

const checks = [
  ['it runs as root inside', '[ "$(id -u)" != 0 ]'],
  ['it has capabilities', "grep -qE '^CapEff:[[:space:]]*0+$' /proc/self/status"],
  ['it may gain privileges', "grep -qE '^NoNewPrivs:[[:space:]]*1$' /proc/self/status"],
  ['it has a network', '[ "$(grep -c : /proc/net/dev)" = 1 ]'],
  ['the root folder can be written', '! touch /probe 2>/dev/null'],
  ['the working tree cannot be written', 'touch probe'],
  ['there is no private /tmp', 'touch /tmp/probe'],
] as const;

export interface ProbeDeps {
  /** A folder to make the scratch tree below: where the real trees lie, because folders above them may be the fault. */
  readonly scratchRoot: string;
  run(command: SandboxCommand): Promise<SandboxResult>;
}

export interface ProbeProblem {
  /** What is wrong and what mends it; fit for anybody's eyes. */
  readonly problem: string;
  /** bwrap's own words, which may name paths of this host; for the operator. */
  readonly said: string;
}

/**
 * Really runs a command that looks at how it is held. Null when it is held well.
 *
 * @throws AppError `disk_full` when there is no room to find out
 */
export async function probeBwrap(deps: ProbeDeps): Promise<ProbeProblem | null> {
  let scratch: string | null = null;
  try {
    await mkdir(deps.scratchRoot, { recursive: true });
    scratch = await mkdtemp(join(deps.scratchRoot, 'sluice-probe-'));
    await chmod(scratch, 0o700);
    if (process.getuid?.() === 0) await chown(scratch, nobody, nobody);
    const script = checks.map(([fault, check]) => `{ ${check}; } || { echo "${fault}"; exit 1; }`).join('\n');
    const result = await deps.run({
      command: script,
      root: scratch,
      gitDir: null,
      allowHosts: [],
      signal: AbortSignal.timeout(20_000),
      limits: {
        timeoutMs: 10_000,
        memoryBytes: 256 << 20,
        processes: 32,
        fileBytes: 1 << 20,
        diskBytes: 16 << 20,
        outputBytes: 8_192,
      },
    });
    if (result.endedBy === 'exit' && result.exitCode === 0) return null;
    const said = result.output.trim() || `ended by ${result.endedBy}, code ${result.exitCode}`;
    return { problem: 'bubblewrap runs, but does not hold a command.', said };
  } catch (error) {
    if (!isDiskTrouble(error)) return problemOf(error);
    const detail =
      'The disk that holds the working trees is nearly full, so the sandbox could not be tried out. The next command tries again.';
    throw new AppError('disk_full', { detail }, { cause: error });
  } finally {
    if (scratch !== null) await rm(scratch, { recursive: true, force: true });
  }
}

function isDiskTrouble(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'disk_full' || code === 'disk_limit' || code === 'ENOSPC';
}

/** What bwrap's own words mean on the hosts where it fails. */
function problemOf(error: unknown): ProbeProblem {
  const words =
    error instanceof Error
      ? `${error.message}\n${error.cause instanceof Error ? error.cause.message : ''}`
      : String(error);
  const lines = words.trim().split('\n');
  const said = (lines.find((line) => /bwrap:|setpriv:/.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 300);
  if (/uid map|user namespace|No permissions to create/i.test(said)) {
    const problem =
      'Unprivileged user namespaces are off: sysctl -w kernel.unprivileged_userns_clone=1 (Debian), ' +
      'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for bwrap (Ubuntu 24.04), or run the service as root.';
    return { problem, said };
  }
  if (/Operation not permitted|Permission denied/i.test(said)) {
    const problem =
      'Namespaces or mounts are forbidden here: start the container with --security-opt seccomp=deploy/seccomp-worker.json ' +
      '--security-opt systempaths=unconfined --security-opt apparmor=unconfined (docs/deployment.md), or run the service outside a container.';
    return { problem, said };
  }
  return { problem: 'bubblewrap could not run a command here: `sluice doctor` shows what it said.', said };
}
