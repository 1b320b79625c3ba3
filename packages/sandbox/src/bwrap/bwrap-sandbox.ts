import { lstat, realpath } from 'node:fs/promises';
import { AppError } from '@sluice/core/error';
import type { Sandbox, SandboxCommand, SandboxProbe, SandboxResult } from '@sluice/core/workspace';
import type { ProxyPolicy } from '../proxy/allow-proxy.ts';
import { type BwrapHost, gapsOf, inspectBwrapHost } from './bwrap-host.ts';
import { probeBwrap } from './bwrap-probe.ts';
import { runInBwrap } from './bwrap-run.ts';

export interface BwrapSandboxOptions {
  /** Folders to show read-only besides the toolchains found: SANDBOX_READ_PATHS. */
  readonly readPaths: readonly string[];
  /** PATH to find bwrap and the toolchains in. */
  readonly path: string;
  /** Folders that must never be visible inside: the data folder and everything else of the service. */
  readonly hideRoots: readonly string[];
  /** Folders that the service runs from: its program and its working folder. Hidden, except for toolchains in them. */
  readonly serviceFolders?: readonly string[];
  /** Folder in which the probe makes its scratch tree; best where the real working trees are. */
  readonly scratchRoot: string;
  /** Limits and exceptions of the allow-list proxy, for commands with `allowHosts`; left out: no command has a network. */
  readonly proxy?: ProxyPolicy;
}

/**
 * Runs commands in bubblewrap: a root folder with only the named mounts, no network, an unprivileged user, resource limits,
 * and no process left when the command ends. Where the host cannot provide this, `run` refuses.
 */
export function createBwrapSandbox(options: BwrapSandboxOptions): Sandbox {
  let inspected: Promise<Found> | null = null;

  const inspect = async (): Promise<Found> => {
    const host = await inspectBwrapHost({ ...options, serviceFolders: options.serviceFolders ?? [] });
    if (typeof host === 'string') return unusable(host, null);
    const problem = await probeBwrap({ scratchRoot: options.scratchRoot, run: (command) => runChecked(host, command) });
    if (problem !== null) return unusable(problem.problem, problem.output);
    const { readPaths } = host.toolchains;
    return { host, probe: { kind: 'bwrap', usable: true, problem: null, gaps: gapsOf(host), readPaths } };
  };
  const once = () => {
    inspected ??= inspect().catch((error: unknown) => {
      // A bug or a full disk says nothing about the host, so the next call inspects it again.
      inspected = null;
      throw error;
    });
    return inspected;
  };

  const runChecked = async (host: BwrapHost, command: SandboxCommand): Promise<SandboxResult> => {
    const root = await realpath(command.root).catch(() => null);
    const entry = root === null ? null : await lstat(root);
    if (root === null || !entry?.isDirectory())
      throw new AppError('sandbox_failed', { detail: 'The working tree no longer exists: prepare it again.' });
    if (entry.uid === 0) {
      throw new AppError('sandbox_failed', {
        detail: 'The working tree belongs to root, and commands never run as root: change its owner.',
      });
    }
    const gitEntry = await lstat(`${root}/.git`).catch(() => null);
    if (gitEntry?.isSymbolicLink())
      throw new AppError('sandbox_failed', {
        detail: 'The working tree has a symbolic link for .git: prepare it again.',
      });
    const user = host.features.asRoot
      ? { uid: entry.uid, gid: entry.gid }
      : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    return runInBwrap({ host, user, root, proxy: options.proxy ?? null }, command);
  };

  return {
    kind: 'bwrap',
    probe: async () => {
      try {
        return (await once()).probe;
      } catch (error) {
        if (error instanceof AppError && error.code === 'disk_full') return unusable(error.message, null).probe;
        throw error;
      }
    },
    async run(command) {
      command.signal.throwIfAborted();
      const found = await once();
      if (found.host === null) {
        throw new AppError('sandbox_unavailable', {
          detail: `Commands cannot be isolated on this host, so they are refused. ${found.refusal}`,
        });
      }
      command.signal.throwIfAborted();
      return runChecked(found.host, command);
    },
  };
}

type Found =
  | { readonly host: BwrapHost; readonly probe: SandboxProbe }
  | { readonly host: null; readonly probe: SandboxProbe; readonly refusal: string };

function unusable(problem: string, output: string | null): Found {
  const detail = output === null ? problem : `${problem} Its output: ${output}`;
  return {
    host: null,
    refusal: problem,
    probe: { kind: 'bwrap', usable: false, problem: detail, gaps: [], readPaths: [] },
  };
}
