import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ControlGroups } from '@sluice/core/workspace';
import { findControlGroups } from '../limits/control-group.ts';
import { credentialFiles } from '../mounts/credential-files.ts';
import { type EnvironmentFiles, environmentFiles } from '../mounts/environment-files.ts';
import { findToolchains, type ToolchainQuery, type Toolchains } from '../mounts/toolchains.ts';
import { inheritedDescriptors } from '../process/inherited-descriptors.ts';
import { type BwrapFeatures, systemMounts } from './bwrap-argv.ts';
import { seccompFilter } from './seccomp-filter.ts';

const run = promisify(execFile);

/** The properties of this host, inspected once before the first command. */
export interface BwrapHost {
  readonly bwrap: string;
  readonly features: BwrapFeatures;
  readonly groups: ControlGroups;
  readonly toolchains: Toolchains;
  readonly systemMounts: readonly string[];
  /** Files in the visible folders that may hold a token and must be covered. */
  readonly credentials: readonly string[];
  readonly environmentFiles: EnvironmentFiles;
  readonly filter: Buffer | null;
  readonly inherited: readonly number[];
}

/** Inspects the host without running a command in the sandbox. @returns the problem as a sentence when bubblewrap cannot be used */
export async function inspectBwrapHost(query: ToolchainQuery): Promise<BwrapHost | string> {
  if (process.platform !== 'linux')
    return 'The sandbox needs Linux. Commands of a repository are refused here, unless --sandbox none (SANDBOX=none) lets them run with your rights.';
  const folders = query.path.split(':').filter((folder) => folder.startsWith('/'));
  const bwrap = await findIn(folders, 'bwrap');
  if (bwrap === null) {
    return 'bubblewrap is not installed: apt-get install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), apk add bubblewrap (Alpine).';
  }
  const asRoot = process.getuid?.() === 0;
  if (asRoot && (await findIn(['/usr/bin', '/bin', '/usr/sbin', '/sbin'], 'setpriv')) === null) {
    return 'setpriv is not installed: apt-get install util-linux.';
  }
  const help = await run(bwrap, ['--help'], { timeout: 20_000, env: {} }).then(
    ({ stdout }) => stdout,
    () => '',
  );
  if (!help.includes('--perms') || !help.includes('--json-status-fd')) {
    return 'bubblewrap is older than 0.5: install a newer one.';
  }
  const groups = await findControlGroups();
  await groups.sweep();
  const toolchains = await findToolchains(query);
  return {
    bwrap,
    groups,
    features: { asRoot, size: help.includes('--size'), disableUserNamespaces: help.includes('--disable-userns') },
    toolchains,
    credentials: await credentialFiles(toolchains.readPaths),
    systemMounts: await systemMounts(),
    environmentFiles: await environmentFiles(['/usr', ...toolchains.readPaths], toolchains.covered),
    filter: seccompFilter(process.arch),
    inherited: await inheritedDescriptors(),
  };
}

/** The limits that this host cannot enforce, as sentences for the operator. */
export function gapsOf(host: BwrapHost): string[] {
  const gaps: string[] = [];
  if (!host.groups.memory)
    gaps.push(
      'Memory is polled four times a second and not strictly limited, because no memory control group can be made here. System V segments that no process has attached, files in transit through a socket, and kernel memory are not limited: set a limit for the container.',
    );
  if (!host.groups.processes)
    gaps.push(
      'Processes are limited by RLIMIT_NPROC for the user as a whole, because no pids control group can be made here.',
    );
  gaps.push(
    'The growth of the working tree is polled and not strictly limited: a fast writer may exceed the limit before it is stopped.',
  );
  if (!host.features.size) gaps.push('The size of /tmp is limited only by memory: bubblewrap is older than 0.7.');
  if (host.filter === null)
    gaps.push(`System calls are not filtered: there is no filter for ${process.arch} processors.`);
  if (!host.environmentFiles.complete)
    gaps.push('A visible folder is too large to search completely for .env files: one may be readable.');
  return [...gaps, ...host.toolchains.refused];
}

async function findIn(folders: readonly string[], name: string): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, name);
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return path;
  }
  return null;
}
