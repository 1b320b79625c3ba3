import { readdir, readlink, stat, statfs } from 'node:fs/promises';
import { isRunning, processTree } from '../process/process-tree.ts';

const tmpfs = 0x0102_1994;

/** Bytes of deleted files on one device that a process tree holds open. A walk of folders does not find them. */
export async function unlinkedBytes(rootPid: number, device: number): Promise<number> {
  const pids = (await processTree(rootPid)).map(({ pid }) => pid);
  return await bytesOf(unlinkedFiles(pids), async (file) => file.device === device);
}

export interface UnlinkedMemory {
  readonly bytes: number;
  /** Whether a process hides its open files, as one that is not dumpable does even from its own user. */
  readonly hidden: boolean;
}

/** Memory that processes hold as files without a name, mapped or not: from memfd_create, or deleted in a tmpfs. */
export async function unlinkedMemory(pids: readonly number[]): Promise<UnlinkedMemory> {
  const inMemory = new Map<number, boolean>();
  const bytes = await bytesOf(unlinkedFiles(pids), async ({ path, device }) => {
    const known = inMemory.get(device);
    if (known !== undefined) return known;
    const type = await statfs(path).then(
      (system) => system.type,
      () => null,
    );
    if (type !== null) inMemory.set(device, type === tmpfs);
    return type === tmpfs;
  });
  let hidden = false;
  for (const pid of pids) hidden ||= await hidesFiles(pid);
  return { bytes, hidden };
}

/** A zombie also denies access to the folder, but it has no open files. */
async function hidesFiles(pid: number): Promise<boolean> {
  const closed = await readdir(`/proc/${pid}/fd`).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'EACCES' || error.code === 'EPERM',
  );
  return closed && (await isRunning(pid));
}

interface UnlinkedFile {
  /** Valid while the process holds the file open. */
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  readonly bytes: number;
}

async function* unlinkedFiles(pids: readonly number[]): AsyncGenerator<UnlinkedFile> {
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      const path = `${folder}/${name}`;
      const target = await readlink(path).catch(() => '');
      if (!target.endsWith(' (deleted)')) continue;
      const file = await stat(path).catch(() => null);
      if (file?.isFile() && file.nlink === 0)
        yield { path, device: file.dev, inode: file.ino, bytes: file.blocks * 512 };
    }
  }
}

/** The sum over the matching files. One that several processes hold counts once. */
async function bytesOf(
  files: AsyncIterable<UnlinkedFile>,
  counts: (file: UnlinkedFile) => Promise<boolean>,
): Promise<number> {
  const seen = new Map<string, number>();
  for await (const file of files) {
    if (await counts(file)) seen.set(`${file.device}:${file.inode}`, file.bytes);
  }
  return seen.values().reduce((sum, bytes) => sum + bytes, 0);
}
