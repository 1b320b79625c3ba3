import type { Decision, Issue } from '@sluice/core/issue';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PLAN, type Script, writeByTool } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`;
const pathsOf = (...first: string[]) => ({ first, count: first.length });
const PATH = 'rates.csv';

/** A coder that puts content where Git LFS stores files, and a pointer from one of its rounds on. */
const untilRound =
  (pointerFrom: number, seen: (string | null)[] = []): Script['coder'] =>
  async ({ round }, context) => {
    seen.push(context.journal.lastAttempt ?? null);
    await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
    await writeByTool(context, { path: PATH, text: round < pointerFrom ? `EUR,USD ${round}\n` : POINTER });
    return { outcome: 'done', summary: 'done', outsidePlan: [] };
  };

describe('a change with content where Git LFS stores files', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
    world.host.lfs.add(PATH);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const approvedWith = async (coder: Script['coder'], label = 'scripted'): Promise<Issue> => {
    await world.startWorker({ script: { coder }, label });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    return world.get(id);
  };

  it('goes back to the coder, who goes on in the same tree and knows why', async () => {
    const seen: (string | null)[] = [];
    const { id } = await approvedWith(untilRound(3, seen));
    const { pipeline } = await world.untilStatus(id, 'completed');
    expect(seen).toEqual([null, expect.stringContaining(PATH), expect.stringContaining(PATH)]);
    expect(pipeline.rounds).toMatchObject({ implement: 3, test_send_backs: 2 });
    expect([...(world.host.remote.values().next().value?.files ?? [])]).toContainEqual([PATH, POINTER]);
    expect(await world.said(id)).toContainEqual(expect.stringContaining(PATH));
  });

  it('fails with its own error when the coder leaves it so, without a commit or a push', async () => {
    const { id } = await approvedWith(untilRound(Number.POSITIVE_INFINITY));
    const { error, pipeline } = await world.untilStatus(id, 'failed');
    expect(error).toEqual({ stage: 'implement', detail: expect.stringContaining(PATH) });
    const code = 'lfs_content_refused';
    expect(world.logged).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ issueId: id, code }) }),
    );
    expect(pipeline).toMatchObject({ implementation: null, rounds: { implement: 4, test_send_backs: 3 } });
    expect(world.host.remote.size).toBe(0);
    expect((await world.runs.diff(id))?.files.map(({ path }) => path)).toContain(PATH);
  });

  it('fails at once where the built-in model made it, which would only do the same again', async () => {
    const { id } = await approvedWith(untilRound(Number.POSITIVE_INFINITY), 'built-in (no model)');
    const { pipeline } = await world.untilStatus(id, 'failed');
    expect(pipeline.rounds.test_send_backs).toBe(0);
  });
});

describe('what a person is asked about Git LFS', () => {
  const confirmed = ({ gate }: Issue): Decision => ({ action: 'approve', headCommit: gate?.head_commit ?? '' });

  it('is what is not in the tree, at the plan; and attributes and pointers that change, before they are published', async () => {
    await using world = await openWorld();
    world.host.lfs.add('data/rates.csv');
    world.host.absent = { usesLfs: true, lfsFiles: pathsOf('a.bin', 'b.bin'), submodules: pathsOf('lib') };
    world.host.lfsChange = {
      attributes: pathsOf('.gitattributes'),
      released: pathsOf('a.bin', 'b.bin'),
      newPointers: pathsOf('c.bin'),
    };
    await world.startWorker({
      script: {
        planner: () => ({
          ...PLAN,
          steps: [{ title: 'Fix', detail: 'Fix.', files: ['src/sum.js', 'data/rates.csv'] }],
        }),
      },
    });
    const { id } = await world.newIssue();
    const { gate, pipeline } = await world.untilStatus(id, 'awaiting_approval');
    expect(gate?.reasons).toEqual(
      expect.arrayContaining([
        '2 files are stored in Git LFS, and are pointers here: `a.bin`, `b.bin`.',
        '1 submodule is not fetched, and is an empty folder here: `lib`.',
        'Files of the plan that Git LFS stores: `data/rates.csv`. Only pointers can be committed there; other content is refused.',
      ]),
    );
    expect(pipeline.prepared?.environment).toContain('Pointers of Git LFS, without the content: a.bin, b.bin');
    await world.decide(id, { action: 'approve' });
    await until('the publish gate is open', async () => (await world.get(id)).gate?.kind === 'publish');
    const asked = await world.get(id);
    expect(asked.gate?.reasons.slice(0, 3)).toEqual([
      '`.gitattributes`: The file decides what Git LFS stores, and it is changed: see the diff.',
      '`a.bin`: The file leaves Git LFS with this change: checkouts get the text of its pointer. The same holds for 1 more.',
      '`c.bin`: The file is a pointer of Git LFS to an object that no pointer at the base names. Unless somebody has uploaded that, checkouts fail.',
    ]);
    expect(world.host.remote.size).toBe(0);
    await world.decide(id, confirmed(asked));
    await world.untilStatus(id, 'completed');
  });
});
