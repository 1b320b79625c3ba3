import { readFile } from 'node:fs/promises';
import { processTree } from '../process/process-tree.ts';
import { unlinkedMemory } from './unlinked-files.ts';

export interface TreeMemory {
  /** Whether a process and its descendants use more memory than allowed. Memory that several share counts once. */
  exceeded(rootPid: number): Promise<boolean>;
}

/**
 * Watches the memory of a command where no control group limits it. Of mapped shared memory and of memory held as files
 * without a name only the larger counts, because they are mostly the same: distinguishing them means reading every mapping,
 * of which a command can make millions. So a command may use up to twice the limit. A process that hides its files is
 * charged with the growth of the host's shared memory since the command began, because it may hold all of it.
 */
export function watchTreeMemory(limitBytes: number): TreeMemory {
  const sharedBefore = sharedByHost();
  // Awaited at the first poll, if there is one.
  sharedBefore.catch(() => undefined);
  return {
    async exceeded(rootPid) {
      const shared = await sharedByHost();
      const tree = await processTree(rootPid);
      const own = tree.reduce((sum, { ownBytes }) => sum + ownBytes, 0);
      const mapped = tree.reduce((sum, { sharedBytes }) => sum + sharedBytes, 0);
      // Inspecting descriptors takes a call for each, and no process can hold more than the host has.
      if (own + Math.max(mapped, shared) <= limitBytes) return false;
      const unlinked = await unlinkedMemory(tree.map(({ pid }) => pid));
      const held = unlinked.hidden ? Math.max(unlinked.bytes, shared - (await sharedBefore)) : unlinked.bytes;
      if (own + Math.max(mapped, held) <= limitBytes) return false;
      // Read last, because the kernel walks every page for it.
      const exact = { own: 0, mapped: 0 };
      for (const { pid, ownBytes, sharedBytes } of tree) {
        const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
        // A process may deny access; then all its shared memory is charged to it.
        exact.own += bytesIn(rollup, 'Pss_Anon') ?? ownBytes;
        exact.mapped += bytesIn(rollup, 'Pss_Shmem') ?? sharedBytes;
      }
      return exact.own + Math.max(exact.mapped, held) > limitBytes;
    },
  };
}

/** The host's shared memory and tmpfs, including what may be swapped out. */
async function sharedByHost(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8');
  const swapped = (bytesIn(text, 'SwapTotal') ?? 0) - (bytesIn(text, 'SwapFree') ?? 0);
  return (bytesIn(text, 'Shmem') ?? 0) + swapped;
}

/** A value from a list of `Name:  123 kB` in /proc, or null when it is missing. */
function bytesIn(list: string, name: string): number | null {
  const kilobytes = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(list)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
}
