import { isSoakRun, until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { mortalLife } from '../mortal.ts';
import { answer, type Script, writeByTool } from '../scripted-agents.ts';
import { openWorld } from '../world.ts';

// Usual way: packages/worker/test/lost-tree.test.ts

const whole = { 'src/sum.js': 'fixed', 'src/sum.test.js': 'tests it', 'docs.md': 'words' };

/** A coder of three answers with a file each; the tests send the first round, which leaves one out, back to it. */
function coding(): { asked: string[]; script: Partial<Script> } {
  const asked: string[] = [];
  return {
    asked,
    script: {
      coder: async ({ round }, context) => {
        const files = round === 1 ? (['docs.md', 'src/sum.test.js'] as const) : (['src/sum.js'] as const);
        for (const path of files) {
          await answer(context, path, { asked });
          await writeByTool(context, { path, text: whole[path] });
        }
        return { outcome: 'done', summary: `round ${round}`, outsidePlan: [] };
      },
    },
  };
}

/** Prime to the writes of a turn, so that deaths fall on each kind of them. */
const STRIDE = isSoakRun ? 1 : 7;

/** The work that the next host has: nothing, or the commits in its clone. */
const hosts = [
  { host: 'where its tree was removed', losesCommits: false },
  { host: 'on another host', losesCommits: true },
];

it.each(hosts)(
  'is gone on with $host after whichever write its worker died, and no answer is asked for twice',
  async ({ losesCommits }) => {
    async function pipelineWithDeath(lastWrite: number): Promise<boolean> {
      await using world = await openWorld();
      const life = mortalLife(lastWrite);
      const { asked, script } = coding();
      const parts = world.makeWorker();
      const first = await world.startWorker({
        script,
        deps: {
          issues: life.wrap('issues', world.issues),
          runs: life.wrap('runs', world.runs),
          repos: life.wrap('repos', world.repos),
          workspaces: life.wrap('workspaces', world.host.workspaces),
          sandbox: life.wrap('sandbox', parts.sandbox),
        },
      });
      const { id } = await world.newIssue();
      let hasSuccessor = false;
      await until(`the issue ended, with a death after write ${lastWrite}: ${life.writes.at(-1)}`, async () => {
        if (life.dead && !hasSuccessor) {
          hasSuccessor = true;
          first.abandon();
          await world.runs.expireLeases();
          world.host.trees.delete(id);
          if (losesCommits) world.host.commits.clear();
          await world.startWorker({ script });
        }
        const issue = await world.get(id);
        if (issue.gate !== null) await world.decide(id, { action: 'approve' }).catch(() => undefined);
        // The issue ends before the release, in which its worker may still die.
        return issue.finishedAt !== null && (life.dead ? hasSuccessor : life.writes.at(-1) === 'runs.release');
      });

      const where = `death after write ${lastWrite}, ${life.writes.at(-1)}`;
      const issue = await world.get(id);
      expect(issue.error, where).toBeNull();
      expect(asked, where).toEqual(['docs.md', 'src/sum.test.js', 'src/sum.js']);
      expect(issue.pipeline.rounds.implement, where).toBe(2);
      expect(issue.usage, where).toEqual({ input_tokens: 80, output_tokens: 40, cost_usd: 0 });
      const shown = (await world.runs.attempts(id)).reduce((sum, { usage }) => sum + (usage?.input_tokens ?? 0), 0);
      expect(shown, where).toBe(80);
      const [published] = [...world.host.remote.values()];
      expect(published?.head, where).toBe(issue.result?.head_commit);
      expect(Object.fromEntries(published?.files ?? []), where).toEqual(whole);
      return life.dead;
    }

    let lastWrite = 1;
    while (await pipelineWithDeath(lastWrite)) lastWrite += STRIDE;
    expect(lastWrite).toBeGreaterThan(45);
  },
);
