import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import type { SandboxCommand, SandboxResult } from '@sluice/core/workspace';

/** The unprivileged user that owns the probe's tree when the service is root. */
const unprivilegedId = 65_534;

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
  /** The parent of the scratch tree: where the real working trees are, because a folder above them may be the problem. */
  readonly scratchRoot: string;
  run(command: SandboxCommand): Promise<SandboxResult>;
}

export interface ProbeProblem {
  /** The problem and its fix; safe to show to every user. */
  readonly problem: string;
  /** The output of bwrap, which may name paths of this host; for the operator. */
  readonly output: string;
}

/**
 * Runs a command that checks its own isolation. Null when the isolation is complete.
 *
 * @throws AppError `disk_full` when there is no room for the check
 */
export async function probeBwrap(deps: ProbeDeps): Promise<ProbeProblem | null> {
  let scratch: string | null = null;
  try {
    await mkdir(deps.scratchRoot, { recursive: true });
    scratch = await mkdtemp(join(deps.scratchRoot, 'sluice-probe-'));
    await chmod(scratch, 0o700);
    if (process.getuid?.() === 0) await chown(scratch, unprivilegedId, unprivilegedId);
    const script = checks.map(([fault, check]) => `{ ${check}; } || { echo "${fault}"; exit 1; }`).join('\n');
    const result = await deps.run({
      command: script,
      root: scratch,
      gitDir: null,
      allowHosts: [],
      owner: 'probe',
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
    const output = result.output.trim() || `ended by ${result.endedBy}, code ${result.exitCode}`;
    return { problem: 'bubblewrap runs, but does not isolate a command.', output };
  } catch (error) {
    if (!isDiskFull(error)) return problemOf(error);
    const detail =
      'The disk of the working trees is nearly full, so the sandbox could not be checked. The next command checks again.';
    throw new AppError('disk_full', { detail }, { cause: error });
  } finally {
    if (scratch !== null) await rm(scratch, { recursive: true, force: true });
  }
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'disk_full' || code === 'disk_limit' || code === 'ENOSPC';
}

/** Explains bwrap's error on hosts where it fails. */
function problemOf(error: unknown): ProbeProblem {
  const text =
    error instanceof Error
      ? `${error.message}\n${error.cause instanceof Error ? error.cause.message : ''}`
      : String(error);
  const lines = text.trim().split('\n');
  const output = (lines.find((line) => /bwrap:|setpriv:/.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 300);
  if (/uid map|user namespace|No permissions to create/i.test(output)) {
    const problem =
      'Unprivileged user namespaces are disabled: sysctl -w kernel.unprivileged_userns_clone=1 (Debian), ' +
      'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for bwrap (Ubuntu 24.04), or run the service as root.';
    return { problem, output };
  }
  if (/Operation not permitted|Permission denied/i.test(output)) {
    const problem =
      'Namespaces or mounts are not permitted here: start the container with --security-opt seccomp=deploy/seccomp-worker.json ' +
      '--security-opt systempaths=unconfined --security-opt apparmor=unconfined (docs/deployment.md), or run the service outside a container.';
    return { problem, output };
  }
  return { problem: 'bubblewrap could not run a command here: `sluice doctor` shows its output.', output };
}
