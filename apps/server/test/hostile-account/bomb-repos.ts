import { execFileSync } from 'node:child_process';
import { makeScratchRepo, type ScratchRepo } from '../scratch-repo.ts';

/** Ten levels of ten folders: 160 KiB that unfold to ten thousand million files. */
export function makeTreeBomb(): ScratchRepo {
  const repo = makeScratchRepo({ 'a.txt': 'one\n' }, 'tree-bomb');
  const small = repo.git('rev-parse', 'HEAD:a.txt');
  let tree = makeTree(
    repo,
    tenOf((at) => `100644 blob ${small}\tf${at}`),
  );
  for (let level = 0; level < 9; level += 1) {
    const below = tree;
    tree = makeTree(
      repo,
      tenOf((at) => `040000 tree ${below}\td${at}`),
    );
  }
  return commitTree(repo, tree);
}

/** One file of 256 MiB under two hundred names: 400 KiB that check out as 50 GiB. */
export function makeBlobBomb(): ScratchRepo {
  const repo = makeScratchRepo({ 'a.txt': 'one\n' }, 'blob-bomb');
  const small = repo.git('rev-parse', 'HEAD:a.txt');
  const large = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: repo.path,
    input: Buffer.alloc(256 * 2 ** 20),
    encoding: 'utf8',
  }).trim();
  const names = Array.from({ length: 200 }, (_, at) => `100644 blob ${large}\tz${String(at).padStart(3, '0')}.bin`);
  return commitTree(repo, makeTree(repo, [`100644 blob ${small}\ta.txt`, ...names]));
}

const tenOf = (line: (at: number) => string) => Array.from({ length: 10 }, (_, at) => line(at));

function makeTree(repo: ScratchRepo, lines: readonly string[]): string {
  return execFileSync('git', ['mktree'], { cwd: repo.path, input: `${lines.join('\n')}\n`, encoding: 'utf8' }).trim();
}

function commitTree(repo: ScratchRepo, tree: string): ScratchRepo {
  repo.git('update-ref', 'refs/heads/main', repo.git('commit-tree', tree, '-m', 'bomb'));
  return repo;
}
