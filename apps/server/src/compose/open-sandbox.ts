import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HostResolver } from '@sluice/core/network';
import type { Sandbox, SandboxLimits } from '@sluice/core/workspace';
import { createBareSandbox, createBwrapSandbox } from '@sluice/sandbox';
import type { Config } from '../config/parse-config.ts';

const MIB = 1024 ** 2;

/** Limits of a repository's commands. The stage's timeout applies as well. */
export const COMMAND_LIMITS: SandboxLimits = {
  timeoutMs: 20 * 60_000,
  memoryBytes: 4_096 * MIB,
  processes: 512,
  fileBytes: 2_048 * MIB,
  diskBytes: 6_144 * MIB,
  outputBytes: 1 * MIB,
};

/** The configured sandbox for the commands of repositories. */
export function openSandbox(config: Config, hosts: HostResolver): Sandbox {
  if (config.sandbox === 'none') return createBareSandbox({ path: config.path });
  return createBwrapSandbox({
    readPaths: config.sandboxReadPaths,
    path: config.path,
    hideRoots: [config.dataDir, config.workspacesDir],
    serviceFolders: serviceFolders(),
    scratchRoot: config.workspacesDir,
    proxy: { hosts, allowPrivateHosts: config.allowPrivateHosts ? config.setupAllowHosts : [] },
  });
}

/** The folders of this service: that of its program (in a checkout, the checkout) and its working directory. */
export function serviceFolders(program = process.argv[1]): string[] {
  if (program === undefined) return [process.cwd()];
  // The program may have been started through a symbolic link in PATH.
  const folder = dirname(realpathSync(program));
  return [folder.replace(/\/apps\/[^/]+\/src$/, ''), process.cwd()];
}
