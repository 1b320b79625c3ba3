import { lstat } from 'node:fs/promises';
import { AppError } from '@sluice/core/error';
import type { ControlGroup, SandboxCommand, SandboxResult } from '@sluice/core/workspace';
import { watchRefusalWait } from '../limits/refusal-wait.ts';
import { watchTreeGrowth } from '../limits/tree-growth.ts';
import { watchTreeMemory } from '../limits/tree-memory.ts';
import { commandEnvironment } from '../process/command-environment.ts';
import { limitedShell } from '../process/limited-shell.ts';
import { lowPriorityLaunch } from '../process/low-priority-launch.ts';
import { type Descriptor, type Ended, type Launch, supervise } from '../process/supervise.ts';
import { type AllowProxy, openAllowProxy, type ProxyPolicy } from '../proxy/allow-proxy.ts';
import { behindForwarder, proxyEnvironment } from '../proxy/inside.ts';
import { bwrapArgv, generatedFiles, homeInside, type RunUser, workspaceInside } from './bwrap-argv.ts';
import type { BwrapHost } from './bwrap-host.ts';

/** The share of the memory limit that a private /tmp may use. */
const temporaryShare = 0.5;
const largestTemporary = 2 ** 30;

/** Package managers try an unreachable registry for minutes; without a network they may give up at once. */
const OFFLINE: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: '0',
  PIP_RETRIES: '0',
  CARGO_NET_RETRY: '0',
  BUNDLE_RETRY: '0',
};

export interface BwrapRun {
  readonly host: BwrapHost;
  readonly user: RunUser;
  /** Real path of the working tree. */
  readonly root: string;
  /** Null: no command has a network. */
  readonly proxy: ProxyPolicy | null;
}

/** Runs one command. Its control group and proxy are created before and removed after it. */
export async function runInBwrap(run: BwrapRun, command: SandboxCommand): Promise<SandboxResult> {
  const { host } = run;
  let group: ControlGroup | null = null;
  let proxy: AllowProxy | null = null;
  const growth = watchTreeGrowth(run.root, command.limits.diskBytes);
  const memory = watchTreeMemory(command.limits.memoryBytes);
  try {
    const { groups } = host;
    if (groups.memory || groups.processes || groups.processor) group = await groups.create(command.limits);
    const notes: string[] = [];
    let note = (text: string) => {
      notes.push(text);
    };
    if (command.allowHosts.length > 0 && run.proxy !== null) {
      proxy = await openAllowProxy(run.proxy, {
        allowHosts: command.allowHosts,
        owner: command.owner,
        refused(what) {
          note(`[sluice refused ${what}]\n`);
          command.onRefused?.(what);
        },
      });
    }
    const refusals = watchRefusalWait(proxy?.refusals ?? (() => 0), run.proxy?.refusalGraceMs);
    const tracker = trackStatus();
    const supervised = supervise(await launchOf(run, { command, group, proxy }), command, {
      status: tracker.take,
      // The first process of the namespace dies with bwrap, and the kernel reaps it only after all others in the namespace.
      finish: async () => undefined,
      remaining: tracker.firstProcess,
      async watch(pid) {
        if (group !== null && (await group.memoryKills()) > 0) return 'memory';
        if (!groups.memory && (await memory.exceeded(pid))) return 'memory';
        if (await growth.exceeded(pid)) return 'disk';
        return (await refusals.exceeded(pid)) ? 'refused' : null;
      },
    });
    note = supervised.note;
    for (const text of notes) note(text);
    const ended = await supervised.ended;
    const endedBy = await growth.refuse(ended.endedBy);
    return resultOf(
      { ...ended, endedBy },
      { started: tracker.started(), memoryKills: group === null ? 0 : await group.memoryKills() },
    );
  } catch (error) {
    command.signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw new AppError('sandbox_failed', {}, { cause: error });
  } finally {
    growth.stop();
    await proxy?.close();
    await group?.remove();
  }
}

interface CommandResources {
  readonly command: SandboxCommand;
  readonly group: ControlGroup | null;
  readonly proxy: AllowProxy | null;
}

async function launchOf(run: BwrapRun, { command, group, proxy }: CommandResources): Promise<Launch> {
  const { host, user } = run;
  const credentials = await existing(host.credentials);
  const files = [...generatedFiles(user), ...credentials.map((path) => [path, ''] as const)];
  const descriptors: Descriptor[] = [
    'status',
    host.filter === null ? null : { content: host.filter },
    'handshake',
    ...files.map(([, content]) => ({ content })),
  ];
  const shell = ['/bin/sh', '-c', command.command];
  const inside = proxy === null ? null : behindForwarder(shell, proxy.socketPath);
  const argv = await bwrapArgv({
    features: host.features,
    user,
    root: run.root,
    gitDir: command.gitDir,
    systemMounts: host.systemMounts,
    readPaths: host.toolchains.readPaths,
    coveredFolders: await existing(host.toolchains.covered),
    coveredFiles: await existing(host.environmentFiles.files),
    binds: [...(command.mounts ?? []), ...(inside?.binds ?? [])],
    temporaryBytes: Math.min(largestTemporary, Math.floor(command.limits.memoryBytes * temporaryShare)),
    statusFd: 3,
    seccompFd: host.filter === null ? null : 4,
    files: files.map(([path], index) => [index + 6, path] as const),
    argv: limitedShell(inside?.argv ?? shell, {
      folder: workspaceInside,
      fileBytes: command.limits.fileBytes,
      processes: host.groups.processes ? null : command.limits.processes,
      // bwrap's --die-with-parent takes effect only after its setup: without the handshake, a service killed before that would leave the command running.
      handshake: 5,
    }),
  });
  const bwrap: [string, ...string[]] = [host.bwrap, ...argv];
  const more = { ...host.toolchains.environment, ...(proxy === null ? OFFLINE : proxyEnvironment()) };
  return {
    argv: lowPriorityLaunch(bwrap, { joinFiles: group?.joinFiles ?? [], processorGroup: host.groups.processor }),
    environment: commandEnvironment(host.toolchains.path, homeInside, more),
    folder: '/',
    output: { path: host.toolchains.path, owner: host.features.asRoot ? user : null },
    descriptors,
    masked: host.inherited,
  };
}

/** The paths that still exist: nothing can be mounted over a missing one. */
async function existing(paths: readonly string[]): Promise<string[]> {
  const entries = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return paths.filter((_, index) => entries[index] !== null);
}

/** Parses bwrap's status: the first process of the namespace, and whether the command was started. */
function trackStatus() {
  let text = '';
  return {
    take(chunk: string) {
      text += chunk;
    },
    firstProcess(): number[] {
      const pid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
      return pid === undefined ? [] : [Number(pid)];
    },
    started: () => text.includes('"exit-code"'),
  };
}

function resultOf(
  ended: Ended & Pick<SandboxResult, 'endedBy'>,
  facts: { started: boolean; memoryKills: number },
): SandboxResult {
  const { output, truncated, durationMs } = ended;
  if (ended.endedBy === 'exit') {
    // A test may provoke an out-of-memory kill and still succeed.
    if (facts.memoryKills > 0 && ended.exitCode !== 0)
      return { exitCode: null, endedBy: 'memory', output, truncated, durationMs };
    // bwrap's output names paths of this host, so it goes to the log as the cause and not into the detail.
    if (!facts.started) throw new AppError('sandbox_failed', {}, { cause: new Error(output) });
    return { exitCode: ended.exitCode, endedBy: 'exit', output, truncated, durationMs };
  }
  return { exitCode: null, endedBy: ended.endedBy, output, truncated, durationMs };
}
