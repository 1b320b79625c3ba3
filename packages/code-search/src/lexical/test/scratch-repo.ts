import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RepoId } from '@sluice/core/id';
import type { Workspace } from '@sluice/core/workspace';

/** A real git repository whose commits can be handed to the index. */
export interface ScratchRepo extends Disposable {
  readonly folder: string;
  /** Writes (or, with null, removes) files and commits the result. @returns a workspace at that commit */
  commit(files: Record<string, string | Buffer | null>): ScratchWorkspace;
  at(commit: string): ScratchWorkspace;
}

interface ScratchWorkspace extends Workspace {
  /** Blobs that were read so far. */
  readonly blobsRead: string[];
}

export function scratchFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'code-index-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };

export function createScratchRepo(repoId?: string): ScratchRepo {
  const home = scratchFolder();
  gitIn(home.path, 'init', '-q', '-b', 'main');
  return { ...openScratchRepo(home.path, repoId), [Symbol.dispose]: () => home[Symbol.dispose]() };
}

/** A repository that another process made. */
export function openScratchRepo(folder: string, repoId = '019a0000-0000-7000-8000-000000000001'): ScratchRepo {
  const at = (commit: string) => workspaceAt({ folder, commit, repoId: repoId as RepoId });
  return {
    folder,
    at,
    commit(files) {
      for (const [path, content] of Object.entries(files)) {
        const target = join(folder, path);
        if (content === null) rmSync(target);
        else {
          mkdirSync(dirname(target), { recursive: true });
          writeFileSync(target, content);
        }
      }
      gitIn(folder, 'add', '-A');
      gitIn(folder, 'commit', '-q', '--allow-empty', '-m', 'a step');
      return at(gitIn(folder, 'rev-parse', 'HEAD').trim());
    },
    [Symbol.dispose]: () => {},
  };
}

function environment(folder: string) {
  return { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', ...author, ...committer };
}

function gitIn(folder: string, ...args: string[]): string {
  const options = { cwd: folder, env: environment(folder), maxBuffer: 64 * 1_024 * 1_024 };
  return execFileSync('git', args, { ...options, encoding: 'utf8' });
}

/** The part of a workspace that an index asks for. */
function workspaceAt(where: { folder: string; commit: string; repoId: RepoId }): ScratchWorkspace {
  const { folder, commit, repoId } = where;
  const blobsRead: string[] = [];
  const part: Pick<ScratchWorkspace, 'repoId' | 'baseCommit' | 'blobs' | 'readBlobs' | 'blobsRead'> = {
    blobsRead,
    repoId,
    baseCommit: commit,
    async blobs(signal) {
      signal.throwIfAborted();
      const listed = gitIn(folder, 'ls-tree', '-r', '-z', '-l', commit).split('\0');
      return listed.slice(0, -1).map((line) => {
        const [, blob = '', bytes = '', path = ''] = /^\S+ blob (\S+) +(\d+)\t(.*)$/su.exec(line) ?? [];
        return { path, blob, bytes: Number(bytes) };
      });
    },
    async *readBlobs(blobs, signal) {
      const options = { cwd: folder, env: environment(folder), signal };
      const child = spawn('git', ['cat-file', '--batch'], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
      child.on('error', () => {}); // an abort ends the output, which the reader sees
      child.stdin.on('error', () => {});
      child.stdin.end(blobs.map((blob) => `${blob}\n`).join(''));
      let buffer = Buffer.alloc(0);
      for await (const chunk of child.stdout) {
        buffer = Buffer.concat([buffer, chunk as Buffer]);
        for (;;) {
          const from = buffer.indexOf('\n') + 1;
          const header = from === 0 ? null : /^(\S+) blob (\d+)$/.exec(buffer.toString('utf8', 0, from - 1));
          const to = from + Number(header?.[2]);
          if (header === null || buffer.length < to + 1) break;
          blobsRead.push(header[1] ?? '');
          yield { blob: header[1] ?? '', content: Buffer.from(buffer.subarray(from, to)) };
          buffer = buffer.subarray(to + 1);
        }
      }
      signal.throwIfAborted();
    },
  };
  return part as ScratchWorkspace;
}
