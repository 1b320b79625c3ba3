import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A bare repository at which pull requests are opened, with a clone in which people work. */
export type HistoryRepo = Awaited<ReturnType<typeof makeHistoryRepo>>;

const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgSign=false'];

export async function makeHistoryRepo(folder: string, name: string) {
  const bare = join(folder, `${name}.git`);
  const clone = join(folder, `${name}-clone`);
  await mkdir(folder, { recursive: true });
  const git = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const { stdout } = await run('git', [...IDENTITY, ...args], { env, maxBuffer: 2 ** 26 });
    return stdout.trim();
  };
  const at = (...args: string[]) => git('-C', clone, ...args);
  await git('init', '-q', '--bare', '-b', 'main', bare);
  await git('--git-dir', bare, 'config', 'core.logAllRefUpdates', 'always');
  await git('clone', '-q', bare, clone);

  const takeTip = async (branch: string): Promise<string> => {
    await at('fetch', '-q', 'origin');
    await at('checkout', '-q', '--force', '-B', branch, `origin/${branch}`);
    return await at('rev-parse', 'HEAD');
  };

  return {
    bare,
    git: (...args: string[]) => git('--git-dir', bare, ...args),
    /** Whether one commit is an ancestor of another. */
    contains: (descendant: string, ancestor: string) =>
      succeeds(git('--git-dir', bare, 'merge-base', '--is-ancestor', ancestor, descendant)),
    tip: (branch: string) => git('--git-dir', bare, 'rev-parse', branch),
    /** A person commits to a branch, on whatever is there, and pushes without force. @returns the commit */
    async commit(branch: string, edits: readonly Edit[]): Promise<string> {
      for (;;) {
        await takeTip(branch);
        await write(clone, edits);
        await at('add', '-A');
        await at('commit', '-q', '--allow-empty', '-m', `edit ${edits.map(({ path }) => path).join(' ')}`);
        if (await succeeds(at('push', '-q', 'origin', branch))) return await at('rev-parse', 'HEAD');
      }
    },
    /** The first commit of `main`, and of the branch on it. */
    async begin(branch: string, files: Readonly<Record<string, string>>, edits: readonly Edit[]): Promise<void> {
      for (const [path, text] of Object.entries(files)) await writeFile(join(clone, path), text);
      await at('add', '-A');
      await at('commit', '-q', '-m', 'begin');
      await at('push', '-q', 'origin', 'HEAD:main');
      await at('push', '-q', 'origin', `HEAD:refs/heads/${branch}`);
      await takeTip(branch);
      await write(clone, edits);
      await at('commit', '-q', '-am', 'what Sluice published first', '--author', 'Sluice <sluice@example.com>');
      await at('push', '-q', 'origin', branch);
    },
    /** A person merges `main` as the code host would. @returns the commit; null where there are conflicts or nothing to merge */
    async mergeMain(branch: string): Promise<string | null> {
      for (;;) {
        const before = await takeTip(branch);
        if (!(await succeeds(at('merge', '-q', '--no-edit', 'origin/main')))) {
          await at('merge', '--abort');
          return null;
        }
        const merged = await at('rev-parse', 'HEAD');
        if (merged === before) return null;
        if (await succeeds(at('push', '-q', 'origin', branch))) return merged;
      }
    },
    /** A person rewrites the commit `own` with which the branch ends. @returns the new one; null where it ends otherwise */
    async amend(branch: string, own: string, edits: readonly Edit[]): Promise<string | null> {
      if ((await takeTip(branch)) !== own) return null;
      await write(clone, edits);
      await at('add', '-A');
      await at('commit', '-q', '--amend', '--no-edit', '--allow-empty');
      const pushed = await succeeds(at('push', '-q', `--force-with-lease=${branch}:${own}`, 'origin', branch));
      return pushed ? await at('rev-parse', 'HEAD') : null;
    },
    /** Each update of a branch, oldest first. */
    async updates(branch: string): Promise<{ from: string; to: string }[]> {
      const log = await readFile(join(bare, 'logs', 'refs', 'heads', branch), 'utf8');
      return log.split('\n').flatMap((line) => {
        const [from = '', to = ''] = line.split(' ');
        return to === '' ? [] : [{ from, to }];
      });
    },
    /** The files of a commit: paths with the ids of their blobs, as text that is the same for the same files. */
    async filesOf(commit: string): Promise<string> {
      const listing = await git('--git-dir', bare, 'ls-tree', '-r', '--format=%(path) %(objectname)', commit);
      return listing.split('\n').sort().join('\n');
    },
  };
}

async function succeeds(call: Promise<unknown>): Promise<boolean> {
  return await call.then(
    () => true,
    () => false,
  );
}

/** Replaces one of the lines of a file (from 1), or with `line` null the whole; `text` null deletes it. */
export interface Edit {
  readonly path: string;
  readonly line: number | null;
  readonly text: string | null;
}

async function write(folder: string, edits: readonly Edit[]): Promise<void> {
  for (const { path, line, text } of edits) {
    const file = join(folder, path);
    if (text === null) await rm(file, { force: true });
    else if (line === null) await writeFile(file, text);
    else {
      const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
      lines[line - 1] = text;
      await writeFile(file, lines.join('\n'));
    }
  }
}

/** The files of a folder in the form of `filesOf`. */
export async function filesIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== '.git');
  const ids = await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name));
      return `${name} ${createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')}`;
    }),
  );
  return ids.sort().join('\n');
}
