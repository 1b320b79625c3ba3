import { lstat } from 'node:fs/promises';
import type { ControlGroup } from '@sluice/core';
import { AppError, type SandboxCommand, type SandboxResult } from '@sluice/core';
import { watchTreeGrowth } from '../limits/tree-growth.ts';
import { watchTreeMemory } from '../limits/tree-memory.ts';
import { commandEnvironment } from '../process/command-environment.ts';
import { limitedShell } from '../process/limited-shell.ts';
import { yieldingLaunch } from '../process/low-priority-launch.ts';
import { type Descriptor, type Ended, type Launch, supervise } from '../process/supervise.ts';
import { type AllowProxy, openAllowProxy, type ProxyPolicy } from '../proxy/allow-proxy.ts';
import { proxyEnvironment, throughForwarder } from '../proxy/inside.ts';
import { bwrapArgv, homeInside, madeUpFiles, type RunUser, workspaceInside } from './bwrap-argv.ts';
import type { BwrapHost } from './bwrap-host.ts';

/** Of the memory limit, where a private /tmp may take as much as half. */
const temporaryShare = 0.5;
const largestTemporary = 2 ** 30;

export interface BwrapRun {
  readonly host: BwrapHost;
  readonly user: RunUser;
  /** Real path of the working tree. */
  readonly root: string;
  readonly proxy: ProxyPolicy;
}

/** Runs one command. Whatever it needs from the host (groups, proxy) is made before and gone after. */
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
    if (command.allowHosts.length > 0) {
      proxy = await openAllowProxy(run.proxy, {
        allowHosts: command.allowHosts,
        refused: (what) => note(`[sluice refused ${what}]\n`),
      });
    }
    const tracker = trackStatus();
    const supervised = supervise(await launchOf(run, { command, group, proxy }), command, {
      status: tracker.take,
      // The first process of the namespace dies with bwrap, and the kernel lets it go only after all others in it.
      finish: async () => undefined,
      remaining: tracker.firstProcess,
      async watch(pid) {
        if (group !== null && (await group.memoryKills()) > 0) return 'memory';
        if (!groups.memory && (await memory.exceeded(pid))) return 'memory';
        return (await growth.exceeded(pid)) ? 'disk' : null;
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

interface Means {
  readonly command: SandboxCommand;
  readonly group: ControlGroup | null;
  readonly proxy: AllowProxy | null;
}

async function launchOf(run: BwrapRun, { command, group, proxy }: Means): Promise<Launch> {
  const { host, user } = run;
  const credentials = await stillThere(host.credentials);
  const files = [...madeUpFiles(user), ...credentials.map((path) => [path, ''] as const)];
  const descriptors: Descriptor[] = [
    'status',
    host.filter === null ? null : { content: host.filter },
    'leash',
    ...files.map(([, content]) => ({ content })),
  ];
  const shell = ['/bin/sh', '-c', command.command];
  const inside = proxy === null ? null : throughForwarder(shell, proxy.socketPath);
  const argv = await bwrapArgv({
    features: host.features,
    user,
    root: run.root,
    gitDir: command.gitDir,
    systemMounts: host.systemMounts,
    readPaths: host.toolchains.readPaths,
    coveredFolders: await stillThere(host.toolchains.covered),
    coveredFiles: await stillThere(host.environmentFiles.files),
    binds: inside?.binds ?? [],
    temporaryBytes: Math.min(largestTemporary, Math.floor(command.limits.memoryBytes * temporaryShare)),
    statusFd: 3,
    seccompFd: host.filter === null ? null : 4,
    files: files.map(([path], index) => [index + 6, path] as const),
    argv: limitedShell(inside?.argv ?? shell, {
      folder: workspaceInside,
      fileBytes: command.limits.fileBytes,
      processes: host.groups.processes ? null : command.limits.processes,
      // bwrap's --die-with-parent holds only once its setup is done: a service killed before would leave a command without an end.
      leash: 5,
    }),
  });
  const bwrap: [string, ...string[]] = [host.bwrap, ...argv];
  const more = { ...host.toolchains.environment, ...(proxy === null ? {} : proxyEnvironment()) };
  return {
    argv: yieldingLaunch(bwrap, { joinFiles: group?.joinFiles ?? [], processorGroup: host.groups.processor }),
    environment: commandEnvironment(host.toolchains.path, homeInside, more),
    folder: '/',
    output: { path: host.toolchains.path, owner: host.features.asRoot ? user : null },
    descriptors,
    masked: host.inherited,
  };
}

/** What was found at the start and is there yet: nothing can be mounted over what is gone. */
async function stillThere(paths: readonly string[]): Promise<string[]> {
  const entries = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return paths.filter((_, index) => entries[index] !== null);
}

/** Reads bwrap's status: the first process of the namespace, and whether the command was started at all. */
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
    // A test that provokes an out-of-memory kill and goes on to succeed has succeeded.
    if (facts.memoryKills > 0 && ended.exitCode !== 0)
      return { exitCode: null, endedBy: 'memory', output, truncated, durationMs };
    // bwrap's words name paths of this host, so they go to the log with the cause and not into the detail.
    if (!facts.started) throw new AppError('sandbox_failed', {}, { cause: new Error(output) });
    return { exitCode: ended.exitCode, endedBy: 'exit', output, truncated, durationMs };
  }
  return { exitCode: null, endedBy: ended.endedBy, output, truncated, durationMs };
}
