import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lchown, lstat, mkdir, open, realpath, rename, rm, unlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { isLfsPointer, type WorkspaceFiles } from '@sluice/core/workspace';
import { type ConfinedPath, caseTwin, confine, followLink, makeOneFolder, refused } from './confined-path.ts';
import { type GrepContext, grepFiles } from './grep-files.ts';

export interface WorkspaceFilesContext extends Omit<GrepContext, 'list'> {
  /** A folder outside the tree, on its file system, for files that are being written. */
  readonly unfinished: string;
  /** Whom new files belong to, and who searches; null: this process. */
  readonly uid: number | null;
  list(signal?: AbortSignal): Promise<readonly string[]>;
  ignored(paths: readonly string[]): Promise<readonly string[]>;
  storedInLfs(paths: readonly string[]): Promise<readonly string[]>;
}

/** The largest text that a tool reads or writes at once: source code is smaller, and a model could not take more. */
export const MAX_TEXT_BYTES = 1024 * 1024;

// NOFOLLOW: the place was checked, and what stands there must be it. NONBLOCK: opening a pipe would wait for ever.
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The file tools of one tree. Every refusal is a `tool_refused` that says why, for the agent to read. */
export function createWorkspaceFiles(context: WorkspaceFilesContext): WorkspaceFiles {
  const own = async (path: string): Promise<void> => {
    if (context.uid !== null) await lchown(path, context.uid, context.uid);
  };
  const makeFolder = async (path: string): Promise<void> => {
    await makeOneFolder(path).catch((error: unknown) => refuseClosed(error, basename(path)));
    await own(path);
  };
  return {
    list: () => context.list(),
    ignored: (paths) => context.ignored(paths),
    storedInLfs: (paths) => context.storedInLfs(paths),
    grep: (query, signal) => grepFiles(context, query, signal),
    async read(path) {
      const root = await realpath(context.root);
      const place = await followLink(root, await confine({ root }, path), path);
      const file = await openRegular(place, path);
      try {
        return await readText(file, path);
      } finally {
        await file.close();
      }
    },
    async write(path, text) {
      if (Buffer.byteLength(text) > MAX_TEXT_BYTES) throw refused(path, 'the text is larger than 1 MiB');
      if (text.includes('\0')) throw refused(path, 'the text holds NUL characters');
      const root = await realpath(context.root);
      const place = await followLink(root, await confine({ root, makeFolder }, path), path);
      const before = await lstat(place.full).catch(() => null);
      if (before !== null && !before.isFile()) throw refused(path, 'it is not a regular file');
      const twin = before === null ? await caseTwin(place) : null;
      if (twin !== null) throw refused(path, `it differs only in case from "${twin}"`);
      if ((await context.ignored([path])).length > 0)
        throw refused(path, 'git ignores it, so it would not be in the change');
      const isStored = async () => (await context.storedInLfs([relative(root, place.full)])).length > 0;
      if (!isLfsPointer(Buffer.from(text)) && (await isStored())) throw refused(path, STORED_IN_LFS);
      await mkdir(context.unfinished, { recursive: true });
      const made = join(context.unfinished, randomUUID());
      try {
        const file = await open(made, 'wx', before === null ? 0o644 : before.mode & 0o777);
        try {
          await file.writeFile(text);
          // The mode given to open is narrowed by the umask, which would take an executable's bits away.
          if (before !== null) await file.chmod(before.mode & 0o777);
          if (context.uid !== null) await file.chown(context.uid, context.uid);
        } finally {
          await file.close();
        }
        await rename(made, place.full).catch((error: unknown) => refuseClosed(error, path));
      } finally {
        await rm(made, { force: true });
      }
    },
    async remove(path) {
      const root = await realpath(context.root);
      const place = await confine({ root }, path);
      const found = await lstat(place.full).catch(() => null);
      if (found === null) throw await absent(place, path);
      if (!found.isFile() && !found.isSymbolicLink()) throw refused(path, 'it is not a regular file');
      await unlink(place.full).catch((error: unknown) => refuseClosed(error, path));
    },
  };
}

/** The advice for an agent: people upload the objects. */
const STORED_IN_LFS =
  'Git LFS stores this file (filter=lfs in .gitattributes), so only a pointer can be committed here, and Sluice uploads no objects. Leave it as it is, or use a path that Git LFS does not store. Removing the filter does not help, because the attributes of the base count as well';

/** A command may have removed the write permission of a folder for its own user, which may be ours. */
function refuseClosed(error: unknown, path: string): never {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== 'EACCES' && code !== 'EPERM') throw error;
  throw refused(path, 'its folder may not be written in: a command closed it (chmod u+w opens it)');
}

async function openRegular(place: ConfinedPath, path: string): Promise<FileHandle> {
  const before = await lstat(place.full).catch(() => null);
  if (before === null) throw await absent(place, path);
  if (!before.isFile()) throw refused(path, before.isDirectory() ? 'it is a folder' : 'it is not a regular file');
  const file = await open(place.full, READ_FLAGS).catch((error: unknown) => {
    throw refused(path, `it cannot be opened (${error instanceof Error && 'code' in error ? error.code : 'unknown'})`);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw refused(path, 'it is not a regular file');
}

async function readText(file: FileHandle, path: string): Promise<string> {
  const buffer = Buffer.alloc(MAX_TEXT_BYTES + 1);
  let filled = 0;
  for (let read = -1; read !== 0 && filled < buffer.length; filled += read) {
    ({ bytesRead: read } = await file.read(buffer, filled, buffer.length - filled, filled));
  }
  if (filled > MAX_TEXT_BYTES) throw refused(path, 'it is larger than 1 MiB');
  const content = buffer.subarray(0, filled);
  const text = textIn(content);
  if (text === null) throw refused(path, content.includes(0) ? 'it is binary' : 'it is not UTF-8 text');
  return text;
}

/** The text that a file holds; null for what is no UTF-8 text. */
export function textIn(content: Buffer): string | null {
  if (content.includes(0)) return null;
  try {
    // The byte order mark stays: a tool that writes the text back must not change what it did not touch.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}

async function absent(place: ConfinedPath, path: string): Promise<Error> {
  const twin = await caseTwin(place);
  return refused(path, twin === null ? 'there is no such file' : `there is no such file, but there is "${twin}"`);
}
