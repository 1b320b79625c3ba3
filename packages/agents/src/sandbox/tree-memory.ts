import { readFile } from 'node:fs/promises';
import { processTree } from './process-tree.ts';

/** Whether a process and all below it take more memory than they may; what several of them share counts once. */
export async function exceedsMemory(rootPid: number, limitBytes: number): Promise<boolean> {
  const tree = await processTree(rootPid);
  const atMost = tree.reduce((sum, { ownBytes, sharedBytes }) => sum + ownBytes + sharedBytes, 0);
  if (atMost <= limitBytes) return false;
  // Only now, because the kernel walks every page for it.
  let exact = 0;
  for (const { pid, ownBytes, sharedBytes } of tree) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    const shares = [...rollup.matchAll(/^Pss_(?:Anon|Shmem):\s*(\d+) kB$/gm)];
    // A process may forbid to be looked at; then all that it shares is its own.
    exact += shares.length === 0 ? ownBytes + sharedBytes : shares.reduce((sum, [, kb]) => sum + Number(kb) * 1_024, 0);
  }
  return exact > limitBytes;
}
