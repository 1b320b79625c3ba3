import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxCommand, SandboxResult } from '@sluice/core';

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

/** Really runs a command that looks at how it is held. Returns the problem in words with what mends it, or null. */
export async function probeBwrap(deps: ProbeDeps): Promise<string | null> {
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
    return `bubblewrap runs, but does not hold a command: ${result.output.trim() || `ended by ${result.endedBy}, code ${result.exitCode}`}.`;
  } catch (error) {
    return problemOf(error);
  } finally {
    if (scratch !== null) await rm(scratch, { recursive: true, force: true });
  }
}

/** What bwrap's own words mean on the hosts where it fails. */
function problemOf(error: unknown): string {
  const words =
    error instanceof Error
      ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
      : String(error);
  if (/uid map|user namespace|No permissions to create/i.test(words)) {
    return (
      'Unprivileged user namespaces are off: sysctl -w kernel.unprivileged_userns_clone=1 (Debian), ' +
      'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for bwrap (Ubuntu 24.04), or run the service as root. ' +
      said(words)
    );
  }
  if (/Operation not permitted|Permission denied/i.test(words)) {
    return (
      'This container forbids namespaces or mounts: start it with --cap-add SYS_ADMIN --security-opt seccomp=unconfined ' +
      '--security-opt systempaths=unconfined, or run the service outside a container. ' +
      said(words)
    );
  }
  return `bubblewrap could not run a command here. ${said(words)}`;
}

function said(words: string): string {
  const line =
    words.split('\n').find((each) => each.includes('bwrap:') || each.includes('setpriv:')) ??
    words.split('\n')[0] ??
    '';
  return `It said: ${line.trim().slice(0, 300)}`;
}
