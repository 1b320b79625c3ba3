import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk extends Disposable {
  readonly path: string;
  /** What an ordinary user could still write. */
  freeBytes(): number;
}

/**
 * A file system of its own: ext4 in a file where loop devices can be mounted, else a tmpfs of that size.
 *
 * @throws Error when the process may not mount
 */
export function openSmallDisk(mebibytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'));
  const path = join(folder, 'mounted');
  const image = join(folder, 'image');
  mkdirSync(path);
  try {
    writeFileSync(image, '');
    truncateSync(image, mebibytes * 2 ** 20);
    execFileSync('mkfs.ext4', ['-q', image], { stdio: 'pipe' });
    execFileSync('mount', ['-o', 'loop', image, path], { stdio: 'pipe' });
  } catch {
    rmSync(image, { force: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'sluice-disk', path], { stdio: 'pipe' });
  }
  return {
    path,
    freeBytes: () => {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    },
    [Symbol.dispose]: () => {
      execFileSync('umount', ['--lazy', path]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
