import { readdir, readlink, stat, statfs } from 'node:fs/promises';
import { isRunning, processTree } from '../process/process-tree.ts';

const tmpfs = 0x0102_1994;

/** Bytes of one device's files that a tree holds open although they have no name any more: a walk of folders never meets them. */
export async function namelessBytes(rootPid: number, device: number): Promise<number> {
  const pids = (await processTree(rootPid)).map(({ pid }) => pid);
  return await bytesOf(namelessFiles(pids), async (file) => file.device === device);
}

export interface NamelessMemory {
  readonly bytes: number;
  /** Whether a process does not let its files be seen, as one that is not dumpable does not let its own user. */
  readonly hidden: boolean;
}

/** What processes hold of memory as files without a name, mapped or not: from memfd_create, or deleted in a tmpfs. */
export async function namelessMemory(pids: readonly number[]): Promise<NamelessMemory> {
  const inMemory = new Map<number, boolean>();
  const bytes = await bytesOf(namelessFiles(pids), async ({ path, device }) => {
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

/** A zombie has no files any more, but keeps the folder of them closed too. */
async function hidesFiles(pid: number): Promise<boolean> {
  const closed = await readdir(`/proc/${pid}/fd`).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'EACCES' || error.code === 'EPERM',
  );
  return closed && (await isRunning(pid));
}

interface NamelessFile {
  /** Leads to it as long as the process holds it. */
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  readonly bytes: number;
}

async function* namelessFiles(pids: readonly number[]): AsyncGenerator<NamelessFile> {
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

/** The sum over files that count; one that several hold counts once. */
async function bytesOf(
  files: AsyncIterable<NamelessFile>,
  counts: (file: NamelessFile) => Promise<boolean>,
): Promise<number> {
  const seen = new Map<string, number>();
  for await (const file of files) {
    if (await counts(file)) seen.set(`${file.device}:${file.inode}`, file.bytes);
  }
  return seen.values().reduce((sum, bytes) => sum + bytes, 0);
}
