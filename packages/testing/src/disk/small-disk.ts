import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';

import { join } from 'node:path';

/** A separate file system, small enough for a test to fill. */
export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Bytes that users without privileges may still take. */
  free(): number;
}

export interface SmallDiskOptions {
  readonly mebibytes: number;
  /** How many files and folders it can hold; default: as the file system chooses. */
  readonly entries?: number;
  /** ext4 is the real thing, with its journal and its reserve for root; tmpfs, the default, is made at once. */
  readonly kind?: 'ext4' | 'xfs' | 'tmpfs';
}

/** Whether this process may mount one: as root outside of most containers. */
export const mayMountDisks = (() => {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'x', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Whether this process may make an XFS, which needs xfsprogs, a loop device and the kernel's module. */
export function mayMountXfs(): boolean {
  if (!mayMountDisks) return false;
  try {
    mountSmallDisk({ kind: 'xfs', mebibytes: MIN_XFS_MEBIBYTES })[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

const MIN_XFS_MEBIBYTES = 300; // mkfs.xfs makes no smaller one

/** Mounts one below /tmp. Where there is no loop device, what was to be ext4 is a tmpfs. */
export function mountSmallDisk(options: SmallDiskOptions): SmallDisk {
  const place = mkdtempSync('/tmp/sluice-disk-');
  // A service that is an ordinary user must get to its folder.
  chmodSync(place, 0o755);
  const folder = join(place, 'disk');
  mkdirSync(folder);
  if (options.kind === 'xfs') {
    try {
      mountImage(place, folder, { ...options, make: ['mkfs.xfs', '-q', '-f'] });
    } catch (error) {
      rmSync(place, { recursive: true, force: true });
      throw error;
    }
  } else if (options.kind !== 'ext4' || !mountExt4(place, folder, options)) mountTmpfs(folder, options);
  return {
    folder,
    free: () => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
    [Symbol.dispose]: () => {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(place, { recursive: true, force: true });
    },
  };
}

function mountTmpfs(folder: string, { mebibytes, entries }: SmallDiskOptions): void {
  const inodes = entries === undefined ? '' : `,nr_inodes=${entries}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m${inodes}`, 'x', folder]);
}

function mountExt4(place: string, folder: string, { mebibytes, entries }: SmallDiskOptions): boolean {
  const count = entries === undefined ? [] : ['-N', String(entries)];
  try {
    mountImage(place, folder, { mebibytes, make: ['mkfs.ext4', '-q', '-F', ...count] });
    return true;
  } catch {
    return false;
  }
}

function mountImage(place: string, folder: string, of: { mebibytes: number; make: readonly string[] }): void {
  const image = join(place, 'image');
  writeFileSync(image, '');
  truncateSync(image, of.mebibytes * 2 ** 20);
  const [program = '', ...options] = of.make;
  execFileSync(program, [...options, image], { stdio: 'ignore' });
  execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'ignore' });
}
