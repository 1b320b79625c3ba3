import { describe, expect, it } from 'vitest';
import { plainGit } from '../git/test/scratch.ts';
import { createBranchStandings } from './branch-standings.ts';
import { BRANCH, commit, merging } from './test/merge-base-branch-scene.ts';
import { never, type WorkspaceScratch, workspacesOptions } from './test/workspace-scratch.ts';

const parents = async (it: WorkspaceScratch, commit: string) =>
  (await plainGit(it.origin, 'rev-list', '-n1', '--parents', commit)).trim().split(' ').slice(1);

describe('a merge without conflicts', () => {
  it('is a commit with two parents that holds both sides, and counts no file as changed', async () => {
    const { it, head, base, workspace } = await merging(
      { 'a.txt': 'ONE\ntwo\nthree\n' },
      { 'b.txt': 'B\n', 'new.txt': 'n\n' },
    );
    await using _ = it;
    expect(await workspace.merge?.outcome(never)).toMatchObject({ isContained: false, conflicts: [] });
    const made = await commit(workspace);
    expect(await commit(workspace)).toEqual(made);
    expect(await workspace.diff(never)).toMatchObject({
      base_commit: head,
      head_commit: made.commit,
      files: [],
      diff: '',
    });
    await workspace.push(made.commit, never);
    expect(await plainGit(it.origin, 'rev-parse', BRANCH)).toContain(made.commit);
    expect(await parents(it, made.commit)).toEqual([head, base]);
    expect(await plainGit(it.origin, 'show', `${BRANCH}:a.txt`)).toBe('ONE\ntwo\nthree');
    expect(await plainGit(it.origin, 'show', `${BRANCH}:new.txt`)).toBe('n');
  });
});

describe('a merge with conflicts', () => {
  const conflict = () =>
    merging({ 'a.txt': 'one\nOURS\nthree\n' }, { 'a.txt': 'one\nTHEIRS\nthree\n', 'b.txt': 'B\n' });

  it('leaves both sides in the file between markers, and counts what is done about them alone', async () => {
    const { it, head, base, workspace } = await conflict();
    await using _ = it;
    expect(await workspace.merge?.outcome(never)).toMatchObject({
      conflicts: [{ path: 'a.txt', kind: 'contents', byHand: false }],
    });
    const text = await workspace.files.read('a.txt');
    expect(text).toBe(`one\n<<<<<<< ${head}\nOURS\n=======\nTHEIRS\n>>>>>>> ${base}\nthree\n`);
    const untouched = await workspace.diff(never);
    expect(untouched.files).toEqual([{ path: 'a.txt', additions: 4, deletions: 0 }]);
    expect(untouched.diff).toContain('+<<<<<<< ');
    await workspace.files.write('a.txt', 'one\nBOTH\nthree\n');
    const made = await commit(workspace);
    const { files, diff } = await workspace.diff(never);
    expect(files).toEqual([{ path: 'a.txt', additions: 1, deletions: 1 }]);
    expect(diff).not.toContain('b.txt');
    await workspace.push(made.commit, never);
    expect(await parents(it, made.commit)).toEqual([head, base]);
    expect(await plainGit(it.origin, 'show', `${BRANCH}:b.txt`)).toBe('B');
  });

  it('says how each file is in conflict, and whether an agent can settle it', async () => {
    const { it, workspace } = await merging(
      { 'gone.txt': null, 'logo.bin': 'a\0c', 'new.txt': 'x\n' },
      { 'gone.txt': 'changed\n', 'logo.bin': 'a\0d', 'new.txt': 'y\n' },
    );
    await using _ = it;
    expect((await workspace.merge?.outcome(never))?.conflicts).toEqual([
      { path: 'gone.txt', kind: 'modify/delete', byHand: false },
      { path: 'logo.bin', kind: 'binary', byHand: true },
      { path: 'new.txt', kind: 'contents', byHand: false },
    ]);
  });
});

describe('the standing of a branch to its base', () => {
  it('says what each side changed, what is in conflict, and what the base says of it', async () => {
    const { it, head, base, request } = await merging(
      { 'a.txt': 'one\nOURS\nthree\n' },
      { 'a.txt': 'one\nTHEIRS\nthree\n', 'b.txt': 'B\n' },
    );
    await using _ = it;
    const { repo } = it.request();
    const standings = createBranchStandings(workspacesOptions(it.root));
    const of = { repo, branch: BRANCH, baseBranch: 'main', signal: never };
    expect(await standings.of(of)).toEqual({
      headCommit: head,
      baseCommit: base,
      isContained: false,
      conflicts: [{ path: 'a.txt', kind: 'contents', byHand: false }],
      changedAtBase: ['a.txt', 'b.txt'],
      changedOnBranch: ['a.txt'],
      subjects: ['change a.txt b.txt on main'],
    });
    await plainGit(it.origin, 'branch', '-f', BRANCH, 'main');
    expect(await standings.of(of)).toMatchObject({ isContained: true, conflicts: [], subjects: [] });
    await plainGit(it.origin, 'checkout', '-q', '--orphan', 'other');
    await plainGit(it.origin, 'commit', '-q', '-m', 'unrelated');
    expect(await standings.of({ ...of, baseBranch: 'other' })).toBeNull();
    await expect(standings.of({ ...of, baseBranch: 'absent' })).rejects.toMatchObject({ code: 'base_branch_missing' });
    expect(request.baseBranch).toBe(BRANCH);
  });
});
