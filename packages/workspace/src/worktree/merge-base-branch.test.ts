import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import { plainGit, writeFiles } from '../git/test/scratch.ts';
import { createBranchStandings } from './branch-standings.ts';
import {
  never,
  newIssueId,
  type WorkspaceScratch,
  workspaceScratch,
  workspacesOptions,
} from './test/workspace-scratch.ts';

const BRANCH = 'sluice/7-sum';
const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n', 'gone.txt': 'here\n', 'logo.bin': 'a\0b' };

/** Commits to a branch of the origin. @returns the commit */
async function commitOn(it: WorkspaceScratch, branch: string, files: Record<string, string | null>): Promise<string> {
  await plainGit(it.origin, 'checkout', '-q', branch);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) await plainGit(it.origin, 'rm', '-q', path);
    else await writeFiles(it.origin, { [path]: text });
  }
  await plainGit(it.origin, 'add', '-A');
  await plainGit(it.origin, 'commit', '-q', '-m', `change ${Object.keys(files).join(' ')} on ${branch}`);
  const commit = (await plainGit(it.origin, 'rev-parse', 'HEAD')).trim();
  await plainGit(it.origin, 'checkout', '-q', '--detach');
  return commit;
}

/** A pull request's branch and its base, each changed since they parted, and the tree in which they are merged. */
async function merging(ours: Record<string, string | null>, theirs: Record<string, string | null>) {
  const it = await workspaceScratch(FILES);
  await plainGit(it.origin, 'branch', BRANCH, 'main');
  const head = await commitOn(it, BRANCH, ours);
  const base = await commitOn(it, 'main', theirs);
  const issueId = newIssueId();
  const request = { issueId, baseBranch: BRANCH, branch: BRANCH, baseCommit: head, mergeCommit: base };
  const workspace = await it.prepare(request);
  await workspace.reset(never);
  return { it, head, base, request, workspace };
}

const parents = async (it: WorkspaceScratch, commit: string) =>
  (await plainGit(it.origin, 'rev-list', '-n1', '--parents', commit)).trim().split(' ').slice(1);
const commit = async (workspace: Workspace) => {
  const made = await workspace.commit({ message: 'Merge main', signal: never });
  if (made === null) throw new Error('nothing was committed');
  return made;
};

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
