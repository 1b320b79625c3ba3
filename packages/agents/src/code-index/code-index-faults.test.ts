import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { CodeIndex, RepoId } from '@sluice/core';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CodeIndexOptions, createCodeIndex } from './create-code-index.ts';
import { createScratchRepo, type ScratchRepo, scratchFolder } from './test/scratch-repo.ts';

const signal = new AbortController().signal;
const repoId = '019a0000-0000-7000-8000-000000000001' as RepoId;

let data: ReturnType<typeof scratchFolder>;
let repo: ScratchRepo;
let opened: CodeIndex[];
let rebuilt: string[];

const file = () => join(data.path, 'code-index.db');
function open(options: Partial<CodeIndexOptions> = {}): CodeIndex {
  const index = createCodeIndex({
    file: file(),
    clock: { now: () => new Date() },
    onRebuilt: (reason) => rebuilt.push(reason),
    ...options,
  });
  opened.push(index);
  return index;
}
const paths = async (index: CodeIndex, query: string) =>
  (await index.search(repoId, { query, limit: 50 }, signal)).map(({ path }) => path).sort();
const manyFiles = (count: number, words: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `src/f${n}.ts`,
      `function f() {\n${`  const ${words} = ${n};\n`.repeat(40)}}\n`,
    ]),
  );

beforeEach(() => {
  data = scratchFolder();
  repo = createScratchRepo();
  opened = [];
  rebuilt = [];
});

afterEach(async () => {
  await Promise.all(opened.map((index) => index.close()));
  repo[Symbol.dispose]();
  data[Symbol.dispose]();
});

describe('the code index under faults', () => {
  it('stays usable whenever a process is killed in the middle of an update', async () => {
    const first = repo.commit({ ...manyFiles(150, 'alpha'), 'one.ts': 'const onlyFirst = 1;\n' });
    const second = repo.commit({ ...manyFiles(150, 'beta'), 'one.ts': null, 'two.ts': 'const onlySecond = 1;\n' });
    const expected = { [first.baseCommit]: ['one.ts'], [second.baseCommit]: ['two.ts'] };
    let states = 0;
    for (let round = 0; round < 12; round += 1) {
      // Every other round is killed in its second update: one has ended by then, however slow the machine.
      const when = { update: 1 + (round % 2), afterMs: round * 30 };
      await killWhileUpdating([file(), repo.folder, first.baseCommit, second.baseCommit], when);
      const index = open();
      const seen = new Set([...(await paths(index, 'onlyFirst')), ...(await paths(index, 'onlySecond'))]);
      const db = new Database(file());
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      const commit = db.prepare<[], string | null>('select commit_id from repos').pluck().get();
      db.close();
      // Before the first update has ended nothing is found; after that always exactly one of the two commits.
      expect([...seen]).toEqual(expected[commit ?? ''] ?? []);
      if (commit) states += 1;
      await index.close();
    }
    const index = open();
    expect(await index.update(first, signal)).toMatchObject({ index: { files: 151, chunks: 151 } });
    expect(await index.update(second, signal)).toMatchObject({ index: { files: 151, chunks: 151 } });
    expect(await paths(index, 'alpha onlyFirst')).not.toContain('one.ts');
    await index.close();
    const db = new Database(file());
    expect(db.prepare('select count(*) from chunks').pluck().get()).toBe(151);
    expect(db.prepare('select count(*) from words_1').pluck().get()).toBe(151);
    db.exec("insert into words_1 (words_1) values ('integrity-check')");
    db.close();
    expect(states).toBeGreaterThan(0);
    expect(rebuilt).toEqual([]);
  });

  it('stops at once when cancelled, and goes on from there the next time', async () => {
    const workspace = repo.commit(manyFiles(400, 'alpha'));
    const index = open();
    const cancel = new AbortController();
    const reason = new Error('cancelled by a person');
    const slow = {
      ...workspace,
      async *readBlobs(blobs: readonly string[], until: AbortSignal) {
        let count = 0;
        for await (const blob of workspace.readBlobs(blobs, until)) {
          yield blob;
          count += 1;
          if (count === 200) cancel.abort(reason);
        }
      },
    };
    await expect(index.update(slow, cancel.signal)).rejects.toBe(reason);
    expect(await paths(index, 'alpha')).toEqual([]);
    workspace.blobsRead.length = 0;
    expect(await index.update(workspace, signal)).toMatchObject({ index: { files: 400 } });
    expect(workspace.blobsRead.length).toBeLessThanOrEqual(400 - 128);
    await expect(index.update(workspace, AbortSignal.abort(reason))).rejects.toBe(reason);
    const question = { query: 'alpha', limit: 1 };
    await expect(index.search(repoId, question, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('lets updates of one repository take turns and a cancelled one leave the line', async () => {
    const first = repo.commit(manyFiles(50, 'alpha'));
    const second = repo.commit(manyFiles(50, 'beta'));
    const third = repo.commit(manyFiles(50, 'gamma'));
    const index = open();
    let inside = 0;
    let most = 0;
    const watched = (workspace: typeof first) => ({
      ...workspace,
      async *readBlobs(blobs: readonly string[], until: AbortSignal) {
        inside += 1;
        most = Math.max(most, inside);
        yield* workspace.readBlobs(blobs, until);
        inside -= 1;
      },
    });
    const cancel = new AbortController();
    const updates = [
      index.update(watched(first), signal),
      index.update(watched(second), cancel.signal),
      index.update(watched(third), signal),
    ];
    cancel.abort(new Error('left'));
    const outcomes = await Promise.allSettled(updates);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(most).toBe(1);
    expect(await paths(index, 'gamma')).toHaveLength(50);
    expect(await paths(index, 'beta')).toEqual([]);
  });

  it('answers searches while another repository is updated, with the last finished state', async () => {
    using other = createScratchRepo('019a0000-0000-7000-8000-000000000002');
    const index = open();
    await index.update(repo.commit(manyFiles(10, 'alpha')), signal);
    let updating = true;
    const update = index.update(other.commit(manyFiles(1_500, 'beta')), signal).finally(() => {
      updating = false;
    });
    let answered = 0;
    while (updating) {
      const found = await Promise.all(Array.from({ length: 4 }, () => paths(index, 'alpha')));
      for (const one of found) expect(one).toHaveLength(10);
      answered += 1;
    }
    await update;
    expect(answered).toBeGreaterThan(3);
  });

  it('rejects what a dying thread was asked and works again with the next call', async () => {
    const workspace = repo.commit(manyFiles(20, 'alpha'));
    const index = open({ memoryMb: 24 });
    await index.update(workspace, signal);
    // More names than the thread's memory can hold.
    const endless = {
      ...repo.commit({}),
      blobs: async () =>
        Array.from({ length: 400_000 }, (_, n) => ({
          path: `${'deep/'.repeat(20)}${n}`,
          blob: `${n}`.padStart(40, '0'),
          bytes: 1,
        })),
    };
    await expect(index.update(endless, signal)).rejects.toMatchObject({ code: 'not_ready' });
    expect(await paths(index, 'alpha')).toHaveLength(20);
    expect(rebuilt).toEqual([]);
  });

  it('gives up a thread that hangs and works again once the file is free', async () => {
    const workspace = repo.commit(manyFiles(5, 'alpha'));
    await open().update(workspace, signal);
    const index = open({ timeoutMs: 2_500 }); // a thread starts in that on a busy machine; SQLite itself waits for 5 s
    await paths(index, 'alpha');
    const holder = new Database(file());
    holder.exec('begin immediate');
    await expect(index.drop(repoId)).rejects.toMatchObject({ code: 'not_ready' });
    holder.exec('rollback');
    holder.close();
    await expect
      .poll(() =>
        index.drop(repoId).then(
          () => 'dropped',
          () => 'busy',
        ),
      )
      .toBe('dropped');
  });

  it('indexes all files although one kills the parser, and that one by its lines', async () => {
    const index = open({ parser: new URL('./test/mortal-parser.ts', import.meta.url) });
    const bad = { 'src/bad.ts': 'function bad() {} // DIES HERE alpha\n' };
    const workspace = repo.commit({ ...manyFiles(70, 'alpha'), ...bad });
    expect(await index.update(workspace, signal)).toMatchObject({ index: { files: 71, chunks: 71 } });
    const hits = await index.search(repoId, { query: 'alpha', limit: 100 }, signal);
    const symbols = new Set(hits.map(({ path, symbol }) => (path === 'src/bad.ts' ? `bad: ${symbol}` : symbol)));
    expect([...symbols].sort()).toEqual(['bad: null', 'f']);
    await index.update(repo.commit({ 'src/new.ts': 'function another() {}\n' }), signal);
    expect(await paths(index, 'another')).toEqual(['src/new.ts']);
  });

  it('refuses a flood of searches instead of keeping them all', async () => {
    const index = open();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1_000 }, () => index.search(repoId, { query: 'x1', limit: 1 }, signal)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBe(1_000 - 256);
    expect(refused[0]?.reason).toMatchObject({ code: 'not_ready' });
    expect(await index.search(repoId, { query: 'alpha', limit: 1 }, signal)).toEqual([]);
  });

  it('finishes what it was asked when it is closed and refuses everything after', async () => {
    const index = open();
    await index.update(repo.commit(manyFiles(5, 'alpha')), signal);
    const last = paths(index, 'alpha');
    await Promise.all([index.close(), index.close()]);
    expect(await last).toHaveLength(5);
    await expect(index.search(repoId, { query: 'alpha', limit: 1 }, signal)).rejects.toMatchObject({
      code: 'shutting_down',
    });
    await expect(index.update(repo.commit({}), signal)).rejects.toMatchObject({ code: 'shutting_down' });
  });

  it('says nothing of the host when the file cannot be opened', async () => {
    const index = open({ file: join(file(), 'below', 'a-file.db') });
    await open().search(repoId, { query: 'x1', limit: 1 }, signal);
    const refused = await index.search(repoId, { query: 'alpha', limit: 1 }, signal).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'not_ready' });
    expect(String(refused)).not.toContain(data.path);
  });
});

/** Starts a process that updates without end and kills it some milliseconds after its first, second, … update began. */
async function killWhileUpdating(args: string[], when: { update: number; afterMs: number }): Promise<void> {
  const script = new URL('./test/update-forever.ts', import.meta.url).pathname;
  const child: ChildProcess = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output to wait for');
  const gone = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  for (let begun = 0; begun < when.update; begun += 1) await lines.next();
  await delay(when.afterMs); // any moment will do: the next round takes another one
  child.kill('SIGKILL');
  await gone;
}
