import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Creates a repository in `folder`, whose one file holds the value that the programs of the documentation replace. */
export async function makeValueRepo(folder: string): Promise<string> {
  mkdirSync(folder);
  writeFileSync(`${folder}/value.txt`, 'broken\n');
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=You', '-c', 'user.email=you@example.com', ...args], { cwd: folder });
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('commit', '-q', '-m', 'A value');
  return folder;
}
