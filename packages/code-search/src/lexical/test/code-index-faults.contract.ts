import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { CodeIndex } from '@sluice/core/code-search';
import type { RepoId } from '@sluice/core/id';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IndexHarness, OpenIndexes } from './index-harness.ts';
import { createScratchRepo, type ScratchRepo } from './scratch-repo.ts';

const signal = new AbortController().signal;
const repoId = '019a0000-0000-7000-8000-000000000001' as RepoId;

export const manyFiles = (count: number, words: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `src/f${n}.ts`,
      `function f() {\n${`  const ${words} = ${n};\n`.repeat(40)}}\n`,
    ]),
  );

/** What every index by words is after a kill, a cancel, a flood or a file that no parser survives. */
export function codeIndexFaultsContract(name: string, openHarness: OpenIndexes): void {
  let harness: IndexHarness;
  let repo: ScratchRepo;
  let opened: CodeIndex[];

  const open = (parser?: URL): CodeIndex => {
    const index = harness.open(parser);
    opened.push(index);
    return index;
  };
  const paths = async (index: CodeIndex, query: string) =>
    (await index.search(repoId, { query, limit: 50 }, signal)).map(({ path }) => path).sort();

  beforeEach(async () => {
    repo = createScratchRepo();
    opened = [];
    harness = await openHarness();
  });

  afterEach(async () => {
    await Promise.all(opened.map((index) => index.close()));
    repo[Symbol.dispose]();
    await harness[Symbol.asyncDispose]();
  });

  describe(`the code index in ${name} under faults`, () => {
    it('stays usable whenever a process is killed in the middle of an update', async () => {
      const first = repo.commit({ ...manyFiles(150, 'alpha'), 'one.ts': 'const onlyFirst = 1;\n' });
      const second = repo.commit({ ...manyFiles(150, 'beta'), 'one.ts': null, 'two.ts': 'const onlySecond = 1;\n' });
      const expected = { [first.baseCommit]: ['one.ts'], [second.baseCommit]: ['two.ts'] };
      let states = 0;
      for (let round = 0; round < 12; round += 1) {
        // Every other round is killed in its second update: one has ended by then, however slow the machine.
        const when = { update: 1 + (round % 2), afterMs: round * 30 };
        await killWhileUpdating([harness.place, repo.folder, first.baseCommit, second.baseCommit], when);
        await harness.deserted();
        const index = open();
        const seen = new Set([...(await paths(index, 'onlyFirst')), ...(await paths(index, 'onlySecond'))]);
        const commit = await harness.commit();
        // Before the first update has ended nothing is found; after that always exactly one of the two commits.
        expect([...seen]).toEqual(expected[commit ?? ''] ?? []);
        if (commit) states += 1;
        await index.close();
      }
      const index = open();
      expect(await index.update(first, signal)).toMatchObject({ index: { files: 151, chunks: 151 } });
      expect(await index.update(second, signal)).toMatchObject({ index: { files: 151, chunks: 151 } });
      expect(await paths(index, 'alpha onlyFirst')).not.toContain('one.ts');
      expect(await harness.rows()).toEqual({ blobs: 151, chunks: 151, words: 151 });
      expect(states).toBeGreaterThan(0);
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

    it('indexes all files although one kills the parser, and that one by its lines', async () => {
      const index = open(new URL('./mortal-parser.ts', import.meta.url));
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
      // One that is taken may wait for its turn for too long on a busy machine, and is refused then.
      const refused = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' && String(outcome.reason).includes('too much to do') ? [outcome.reason] : [],
      );
      expect(refused).toHaveLength(1_000 - 256);
      expect(refused[0]).toMatchObject({ code: 'not_ready' });
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
  });
}

/** Starts a process that updates without end and kills it some milliseconds after its first, second, … update began. */
async function killWhileUpdating(args: string[], when: { update: number; afterMs: number }): Promise<void> {
  const script = new URL('./update-forever.ts', import.meta.url).pathname;
  const child: ChildProcess = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output to wait for');
  const gone = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  for (let begun = 0; begun < when.update; begun += 1) await lines.next();
  await delay(when.afterMs); // any moment will do: the next round takes another one
  child.kill('SIGKILL');
  await gone;
}
