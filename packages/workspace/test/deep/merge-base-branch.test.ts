import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainGit } from '../../src/git/test/scratch.ts';
import { BRANCH, commit, commitOn, FILES, merging } from '../../src/worktree/test/merge-base-branch-scene.ts';
import { never, newIssueId, workspaceScratch } from '../../src/worktree/test/workspace-scratch.ts';

// Usual way: packages/workspace/src/worktree/merge-base-branch.test.ts

describe('a merge without conflicts', () => {
  it('is made also where the branch has the same files already, and not where it has the commit', async () => {
    const { it, head, request, workspace } = await merging({ 'b.txt': 'B\n' }, { 'b.txt': 'B\n' });
    await using _ = it;
    await commit(workspace);
    const again = await it.prepare({
      ...request,
      issueId: newIssueId(),
      mergeCommit: `${await plainGit(it.origin, 'rev-parse', 'main~1')}`.trim(),
    });
    await again.reset(never);
    expect(await again.merge?.outcome(never)).toMatchObject({ isContained: true });
    expect(await again.commit({ message: 'Merge', signal: never })).toBeNull();
    expect(again.baseCommit).toBe(head);
  });

  it('is restored on another host, by its commit with both parents', async () => {
    const { it, request, workspace } = await merging({ 'a.txt': 'ONE\ntwo\nthree\n' }, { 'b.txt': 'B\n' });
    await using _ = it;
    const made = await commit(workspace);
    await using other = await workspaceScratch(FILES);
    const there = await other.workspaces.prepare({ ...request, repo: it.request().repo, signal: never });
    await there.restore(made, never);
    expect(await readFile(join(there.root, 'b.txt'), 'utf8')).toBe('B\n');
    expect((await there.diff(never)).head_commit).toBe(made.commit);
    const forged = { ...made, object: made.object.replace(/parent [0-9a-f]+\nauthor/, 'author') };
    await expect(there.restore(forged, never)).rejects.toMatchObject({ code: 'workspace_lost' });
  });

  it('is refused by the remote’s branch when a person has pushed to it meanwhile', async () => {
    const { it, workspace } = await merging({ 'a.txt': 'ONE\ntwo\nthree\n' }, { 'b.txt': 'B\n' });
    await using _ = it;
    const made = await commit(workspace);
    const theirs = await commitOn(it, BRANCH, { 'person.txt': 'p\n' });
    await expect(workspace.push(made.commit, never)).rejects.toMatchObject({ code: 'branch_taken' });
    expect((await plainGit(it.origin, 'rev-parse', BRANCH)).trim()).toBe(theirs);
  });
});

describe('a merge with conflicts', () => {
  const conflict = () =>
    merging({ 'a.txt': 'one\nOURS\nthree\n' }, { 'a.txt': 'one\nTHEIRS\nthree\n', 'b.txt': 'B\n' });

  it('counts a file in which the branch won, and one in which the base lost without a conflict', async () => {
    const { it, workspace } = await conflict();
    await using _ = it;
    await workspace.files.write('a.txt', 'one\nOURS\nthree\n');
    await workspace.files.write('b.txt', 'b\n');
    const { files } = await workspace.diff(never);
    expect(files).toEqual([
      { path: 'a.txt', additions: 0, deletions: 0 },
      { path: 'b.txt', additions: 0, deletions: 0 },
    ]);
  });

  it('goes on in a kept tree where it was, and starts with the markers again after a reset', async () => {
    const { it, workspace } = await conflict();
    await using _ = it;
    await workspace.files.write('a.txt', 'one\nBOTH\nthree\n');
    const kept = await workspace.checkpoint(never);
    if (kept === null) throw new Error('nothing was kept');
    await workspace.reset(never);
    expect(await workspace.files.read('a.txt')).toContain('=======');
    await workspace.restore(kept, never);
    expect(await workspace.files.read('a.txt')).toBe('one\nBOTH\nthree\n');
    expect(await workspace.files.read('b.txt')).toBe('B\n');
  });

  it('takes no merge driver from the attributes of the repository', async () => {
    const attributes = { '.gitattributes': '*.txt merge=union\n' };
    const { it, workspace } = await merging(
      { ...attributes, 'a.txt': 'one\nOURS\nthree\n' },
      { ...attributes, 'a.txt': 'one\nTHEIRS\nthree\n' },
    );
    await using _ = it;
    expect((await workspace.merge?.outcome(never))?.conflicts).toHaveLength(1);
  });
});
