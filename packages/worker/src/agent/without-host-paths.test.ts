import { expect, it } from 'vitest';
import { withoutHostPaths } from './run-agent.ts';

it('names the repository instead of the folders of the host', () => {
  const workspace = { root: '/data/trees/i1', gitDir: '/data/caches/r1.git/worktrees/i1' };
  const output =
    "fatal: Unable to create '/data/caches/r1.git/worktrees/i1/index.lock': Read-only file system\n" +
    'error: insufficient permission for adding an object to repository database /data/caches/r1.git/objects\n' +
    '/data/trees/i1/src/a.ts:1: wrong\n';
  expect(withoutHostPaths(output, workspace)).toBe(
    "fatal: Unable to create '<repository>/index.lock': Read-only file system\n" +
      'error: insufficient permission for adding an object to repository database <repository>/objects\n' +
      '<repository>/src/a.ts:1: wrong\n',
  );
});
