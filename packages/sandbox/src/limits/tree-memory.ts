import { readFile } from 'node:fs/promises';
import { processTree } from '../process/process-tree.ts';
import { namelessMemory } from './unlinked-files.ts';

export interface TreeMemory {
  /** Whether a process and all below it take more memory than they may; what several of them share counts once. */
  exceeded(rootPid: number): Promise<boolean>;
}

/**
 * Watches the memory of a command where no control group bounds it. Of memory that is mapped and memory that is held as files
 * without a name only the larger counts, because mostly it is the same: telling them apart means reading every mapping, of
 * which a command can make millions. So it may go up to twice the limit. A process that hides its files is charged with what
 * the host's shared memory has grown by since the command began, because it may hold all of that.
 */
export function watchTreeMemory(limitBytes: number): TreeMemory {
  const sharedBefore = sharedByHost();
  // It is waited for at the first look, if there is one.
  sharedBefore.catch(() => undefined);
  return {
    async exceeded(rootPid) {
      const shared = await sharedByHost();
      const tree = await processTree(rootPid);
      const own = tree.reduce((sum, { ownBytes }) => sum + ownBytes, 0);
      const mapped = tree.reduce((sum, { sharedBytes }) => sum + sharedBytes, 0);
      // A look at descriptors takes a call for each, and nobody can hold more than the host has.
      if (own + Math.max(mapped, shared) <= limitBytes) return false;
      const nameless = await namelessMemory(tree.map(({ pid }) => pid));
      const held = nameless.hidden ? Math.max(nameless.bytes, shared - (await sharedBefore)) : nameless.bytes;
      if (own + Math.max(mapped, held) <= limitBytes) return false;
      // Only now, because the kernel walks every page for it.
      const exact = { own: 0, mapped: 0 };
      for (const { pid, ownBytes, sharedBytes } of tree) {
        const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
        // A process may forbid to be looked at; then all that it shares is its own.
        exact.own += bytesIn(rollup, 'Pss_Anon') ?? ownBytes;
        exact.mapped += bytesIn(rollup, 'Pss_Shmem') ?? sharedBytes;
      }
      return exact.own + Math.max(exact.mapped, held) > limitBytes;
    },
  };
}

/** What of the host's memory is shared or in a tmpfs, and what of it may be swapped out. */
async function sharedByHost(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8');
  const swapped = (bytesIn(text, 'SwapTotal') ?? 0) - (bytesIn(text, 'SwapFree') ?? 0);
  return (bytesIn(text, 'Shmem') ?? 0) + swapped;
}

/** A value of one of the kernel's lists of `Name:  123 kB`, or null when it is not in it. */
function bytesIn(list: string, name: string): number | null {
  const kilobytes = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(list)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
}
