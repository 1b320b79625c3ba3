import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanGitEnvironment } from '../state/bare-repository.ts';

/** A local repository of one commit on `main`, for what stands at the code host to begin with. */
export interface ScratchOrigin extends Disposable {
  readonly path: string;
}

export function scratchOrigin(files: Readonly<Record<string, string>> = { 'README.md': '# here\n' }): ScratchOrigin {
  const path = mkdtempSync(join(tmpdir(), 'sluice-origin-'));
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: path, env: cleanGitEnvironment });
  git('init', '-q', '-b', 'main');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  git('add', '-A');
  git('commit', '-q', '-m', 'base');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
