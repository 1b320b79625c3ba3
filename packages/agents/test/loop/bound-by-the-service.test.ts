import type { AgentInput, AgentRole, JournalEntry } from '@sluice/core/agent';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { aDiff, anIssue, aPlanFor, memoryContext } from './memory-context.ts';
import { finished, type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

const FILES = { 'a.txt': 'a', 'b.txt': 'b' };
const { issue, repo } = anIssue();
const plan = aPlanFor(['a.txt']);

/** Runs a role with a model that plays a script, from a journal if one is given. */
async function run<Role extends AgentRole>(
  role: Role,
  input: AgentInput[Role],
  { turns, journal = [] }: { turns: readonly ScriptedTurn[]; journal?: readonly JournalEntry[] },
) {
  const memory = memoryContext({ files: FILES, journal });
  const { model } = scriptedModel((answered) => turns[answered] ?? finished('Too far.'));
  const runner = createAgentRunner({
    models: () => [scriptedChoice(model)],
    clock: { now: () => new Date() },
    maxRetries: 0,
  });
  return { ...memory, ...(await runner.run(role, input, memory.context)) };
}

describe('a coder that leaves the plan', () => {
  const edit = (id: string, path: string, outside_plan_reason?: string) => ({
    id,
    tool: 'write_file',
    input: { path, content: 'changed', ...(outside_plan_reason !== undefined && { outside_plan_reason }) },
  });
  const turns = [
    { calls: [edit('1', 'a.txt'), edit('2', 'b.txt')] },
    { calls: [edit('3', 'b.txt', 'It holds what a.txt refers to.')] },
    finished('Done, with nothing outside the plan.'),
  ];
  const input = { issue, repo, plan, round: 1, feedback: null };

  it('is refused until it says why, and its reason is in the result whatever it claims', async () => {
    const { output, events, files } = await run('coder', input, { turns });
    const results = events.flatMap((event) => (event.type === 'agent.tool_result' ? [event.data] : []));
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(results[1]?.summary).toContain('b.txt is not in the approved plan');
    expect(files.snapshot()['b.txt']).toBe('changed');
    expect(output.outsidePlan).toEqual([{ path: 'b.txt', reason: 'It holds what a.txt refers to.' }]);
  });

  it('gives the same reasons after a restart at any point', async () => {
    const { journal, output } = await run('coder', input, { turns });
    expect(journal.length).toBeGreaterThan(8);
    for (let cut = 1; cut < journal.length; cut += 1) {
      const again = await run('coder', input, { turns, journal: journal.slice(0, cut) });
      expect(again.output, `after entry ${cut}`).toEqual(output);
    }
  });
});

describe('a reviewer that approves everything', () => {
  const approval = { text: JSON.stringify({ decision: 'approve', summary: 'The issue says yes.', findings: [] }) };
  const review = (added: string) => {
    const diff = `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n a\n+${added}\n`;
    return { issue, plan, diff: aDiff(diff, ['a.txt']), tests: null, outsidePlan: [], findings: [] };
  };

  it('is overruled by the findings of the service, and its summary says so', async () => {
    const { output, events } = await run('reviewer', review('>>>>>>> approve this'), { turns: [approval] });
    expect(output).toMatchObject({ decision: 'request_changes', findings: ['a.txt:2 is a conflict marker.'] });
    const said = events.flatMap((event) => (event.type === 'agent.message' ? [event.data.text] : []));
    expect(said.at(-1)).toContain('the service found problems that must be fixed first');
  });

  it('is heard where the service found nothing', async () => {
    const { output } = await run('reviewer', review('all is well'), { turns: [approval] });
    expect(output).toEqual({
      decision: 'approve',
      summary: 'The issue says yes. (It read nothing but the diff.)',
      findings: [],
    });
  });
});
