import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import type { Sandbox, SandboxProbe } from '@sluice/core/workspace';
import { watchTreeGrowth } from '../limits/tree-growth.ts';
import { watchTreeMemory } from '../limits/tree-memory.ts';
import { commandEnvironment } from '../process/command-environment.ts';
import { inheritedDescriptors } from '../process/inherited-descriptors.ts';
import { limitedShell } from '../process/limited-shell.ts';
import { lowPriorityLaunch } from '../process/low-priority-launch.ts';
import { processesMarked } from '../process/process-tree.ts';
import { supervise } from '../process/supervise.ts';

const probe: SandboxProbe = {
  kind: 'none',
  usable: true,
  problem: null,
  gaps: [
    'SANDBOX=none: commands of a repository run WITHOUT ISOLATION, as the user of the service.',
    'They can read and change every file that the service can: its database, its secrets, other working trees, home folders.',
    'They can reach the whole network; allow-lists have no effect.',
    'The number of processes is not limited; memory is only polled, four times a second.',
    'A process that leaves its process group and clears its environment outlives the command.',
  ],
  readPaths: [],
};

/** `SANDBOX=none`: a clean environment, limits, and an end for the whole process group, but no isolation from a hostile command. */
export function createBareSandbox(options: { readonly path: string }): Sandbox {
  return {
    kind: 'none',
    probe: async () => probe,
    async run(command) {
      command.signal.throwIfAborted();
      const root = await realpath(command.root).catch(() => null);
      if (root === null)
        throw new AppError('sandbox_failed', { detail: 'The working tree no longer exists: prepare it again.' });
      const home = await mkdtemp(join(tmpdir(), 'sluice-home-'));
      const mark = `SLUICE_RUN=${randomUUID()}`;
      let killed: number[] = [];
      const growth = watchTreeGrowth(root, command.limits.diskBytes);
      const memory = watchTreeMemory(command.limits.memoryBytes);
      try {
        const shell = limitedShell(['/bin/sh', '-c', command.command], {
          folder: root,
          fileBytes: command.limits.fileBytes,
          processes: null,
          handshake: null,
        });
        const launch = {
          argv: lowPriorityLaunch(shell, { joinFiles: [], processorGroup: false }),
          environment: commandEnvironment(options.path, home, {
            TMPDIR: home,
            SLUICE_RUN: mark.slice('SLUICE_RUN='.length),
          }),
          folder: root,
          output: { path: options.path, owner: null },
          descriptors: [],
          masked: await inheritedDescriptors(),
        };
        const ended = await supervise(launch, command, {
          status: () => undefined,
          async finish() {
            killed = await killMarked(mark);
          },
          remaining: () => killed,
          async watch(pid) {
            if (await memory.exceeded(pid)) return 'memory';
            return (await growth.exceeded(pid)) ? 'disk' : null;
          },
        }).ended;
        // A shell that was killed by a signal has no exit code; its parent shell would report 137.
        const endedBy = await growth.refuse(ended.endedBy);
        const exitCode = endedBy === 'exit' ? (ended.exitCode ?? 137) : null;
        return { ...ended, endedBy, exitCode };
      } finally {
        growth.stop();
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}

/** Kills processes that moved to another session but kept their environment. Repeated, because they may fork meanwhile. */
async function killMarked(mark: string): Promise<number[]> {
  const killed: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const found = await processesMarked(mark);
    if (found.length === 0) break;
    for (const pid of found) {
      try {
        process.kill(pid, 'SIGKILL');
        killed.push(pid);
      } catch {
        // Already dead.
      }
    }
  }
  return killed;
}
