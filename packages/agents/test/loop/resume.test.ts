import type { AgentInput, AgentRole, JournalEntry, JournalWrite } from '@sluice/core/agent';
import { describe, expect, it } from 'vitest';
import { builtinChoice } from '../../src/builtin/builtin-choice.ts';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import { RESTARTED } from '../../src/tools/agent-tool.ts';
import { anIssue, answersIn as answers, aPlan, aPlanFor, type MemoryOptions, memoryContext } from './memory-context.ts';
import { finished, type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

type Files = Record<string, string>;

/** The files on disk, and the effects that have happened, at the two sides of a write to the journal. */
interface Boundary {
  readonly prefix: readonly JournalEntry[];
  readonly files: Files;
  readonly effects: readonly string[];
}

const clock = { now: () => new Date() };

interface Killable<Role extends AgentRole> {
  readonly role: Role;
  readonly input: AgentInput[Role];
  readonly files: Files;
  model(): ModelChoice;
}

/** Counts the answers that each request of a model already holds. */
function counted(choice: ModelChoice): { choice: ModelChoice; requests: number[] } {
  const requests: number[] = [];
  const { model } = choice;
  return {
    requests,
    choice: {
      ...choice,
      model: {
        ...model,
        doStream(options) {
          requests.push(options.prompt.filter((message) => message.role === 'assistant').length);
          return model.doStream(options);
        },
      },
    },
  };
}

async function run<Role extends AgentRole>({ role, input, model }: Killable<Role>, options: MemoryOptions) {
  const { choice, requests } = counted(model());
  const memory = memoryContext(options);
  const result = await createAgentRunner({ models: () => [choice], clock }).run(role, input, memory.context);
  return { ...memory, result, requests };
}

/** Runs to the end, and takes down both sides of every boundary: killed after the write, and killed before the next. */
async function boundaries<Role extends AgentRole>(killable: Killable<Role>) {
  const seen: Boundary[] = [];
  const holder: { memory?: ReturnType<typeof memoryContext> } = {};
  const snapshot = (prefix: readonly JournalEntry[]): Boundary => {
    const { files, effects } = holder.memory ?? memoryContext();
    return { prefix: structuredClone(prefix), files: files.snapshot(), effects: [...effects] };
  };
  const { choice, requests } = counted(killable.model());
  const memory = memoryContext({ files: killable.files, onAppend: () => seen.push(snapshot(memory.journal)) });
  holder.memory = memory;
  const append = memory.context.journal.append;
  const journal = {
    ...memory.context.journal,
    async append(written: JournalWrite) {
      await append(written);
      const { entries } = written;
      seen.push(snapshot(memory.journal));
      // Within one write there is no boundary in a real store; being cut there must not matter all the same.
      for (let cut = 1; cut < entries.length; cut += 1) seen.push(snapshot(memory.journal.slice(0, -cut)));
    },
  };
  const runner = createAgentRunner({ models: () => [choice], clock });
  const result = await runner.run(killable.role, killable.input, { ...memory.context, journal });
  return {
    seen,
    result,
    requests,
    files: memory.files.snapshot(),
    effects: memory.effects,
  };
}

const BODY = [
  '```diff\n--- a/sum.js\n+++ b/sum.js\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n@@ -7,3 +7,3 @@\n seven\n-eight\n+EIGHT\n nine\n```',
  '```txt file=new.txt\nhello\n```',
  // The new text holds the old one: edited twice it would show.
  'in `new.txt` replace `hello` with `hello hello`',
  '```diff\ndiff --git a/from.txt b/to.txt\nrename from from.txt\nrename to to.txt\n```',
  '```diff\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n```',
].join('\n\n');
const FILES = {
  'sum.js': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n',
  'from.txt': 'x\n',
  'gone.txt': 'bye\n',
};

async function builtinCoder(): Promise<Killable<'coder'>> {
  const { issue, repo } = anIssue({ body: BODY });
  const input = { issue, repo, triage: null, lastPlan: null, guidance: null, baseMoved: null };
  const { result } = await run({ role: 'planner', input, files: FILES, model: builtinChoice }, { files: FILES });
  return {
    role: 'coder',
    input: { issue, repo, plan: aPlan(result.output), round: 1, feedback: null },
    files: FILES,
    model: builtinChoice,
  };
}

function scriptedCoder(): Killable<'coder'> {
  const { issue, repo } = anIssue();
  const script: ScriptedTurn[] = [
    {
      text: 'First both.',
      calls: [
        { id: 'c1', tool: 'edit_file', input: { path: 'a.txt', old_text: 'a', new_text: 'aa' } },
        { id: 'c2', tool: 'run_command', input: { command: 'make once' } },
      ],
    },
    // The same ids again, as some servers do; and a call that the SDK answers by itself.
    {
      calls: [
        { id: 'c1', tool: 'write_file', input: { path: 'b.txt', content: 'b' } },
        { id: 'c2', tool: 'no_such_tool', input: {} },
      ],
    },
    { calls: [{ id: 'c3', tool: 'delete_file', input: { path: 'c.txt' } }] },
    finished('Done.'),
  ];
  const plan = aPlanFor(['a.txt', 'b.txt', 'c.txt']);
  return {
    role: 'coder',
    input: { issue, repo, plan, round: 1, feedback: null },
    files: { 'a.txt': 'a', 'c.txt': 'c' },
    model: () => scriptedChoice(scriptedModel((answered) => script[answered] ?? finished('Too far.')).model),
  };
}

describe('a run that was killed', () => {
  it('goes on from every boundary to the same files and result, each effect once', async () => {
    const killable = await builtinCoder();
    const whole = await boundaries(killable);
    expect(whole.result.output.outcome).toBe('done');
    expect(whole.seen.length).toBeGreaterThan(40);
    for (const { prefix, files, effects } of whole.seen) {
      const resumed = await run(killable, { files, journal: prefix });
      expect(resumed.result).toEqual(whole.result);
      expect(resumed.files.snapshot()).toEqual(whole.files);
      expect([...effects, ...resumed.effects]).toEqual(whole.effects);
      expect(resumed.requests[0] ?? answers(prefix)).toBe(answers(prefix));
    }
  });

  it('runs no command twice, and reports to the model what is unknown', async () => {
    const killable = scriptedCoder();
    const whole = await boundaries(killable);
    expect(whole.effects).toEqual(['write a.txt', 'make once', 'write b.txt', 'remove c.txt']);
    let reported = 0;
    for (const { prefix, files, effects } of whole.seen) {
      const resumed = await run(killable, { files, journal: prefix });
      const all = [...effects, ...resumed.effects];
      expect(new Set(all).size).toBe(all.length);
      // The service does not know how an interrupted command ended.
      const { outcome, summary, outsidePlan } = whole.result.output;
      expect(resumed.result.output).toMatchObject({ outcome, summary, outsidePlan });
      // The answers that are journaled are not asked for again, and all others exactly once.
      expect(resumed.requests).toEqual(whole.requests.slice(answers(prefix)));
      if (prefix.at(-1)?.kind === 'begin' && JSON.stringify(resumed.journal).includes(RESTARTED)) reported += 1;
    }
    // Edit, command and delete, each before and after its effect; the write is run again instead.
    expect(reported).toBe(6);
  });

  it.each(['triager', 'planner'] as const)('goes on from every boundary as %s', async (role) => {
    const { issue, repo } = anIssue({ body: BODY });
    const input = { issue, repo, triage: null, lastPlan: null, guidance: null, baseMoved: null };
    const killable: Killable<typeof role> = { role, input, files: FILES, model: builtinChoice };
    const whole = await boundaries(killable);
    for (const { prefix, files } of whole.seen) {
      const resumed = await run(killable, { files, journal: prefix });
      expect(resumed.result).toEqual(whole.result);
      expect(resumed.requests).toEqual(whole.requests.slice(answers(prefix)));
    }
  });

  it('returns a finished result without asking the model or the code search', async () => {
    const killable = await builtinCoder();
    const { journal, result } = await run(killable, { files: FILES });
    const again = await run(killable, { files: FILES, journal });
    expect(again.result).toEqual(result);
    expect(again).toMatchObject({ requests: [], queries: [], events: [] });
    expect(again.files.changes).toEqual([]);
  });

  it('goes on with the words that it began with', async () => {
    const killable = scriptedCoder();
    const { seen } = await boundaries(killable);
    const prefix = seen.find((boundary) => boundary.prefix.length === 2)?.prefix ?? [];
    const prompts: string[] = [];
    const { model } = scriptedModel((_answered, prompt) => {
      prompts.push(JSON.stringify(prompt));
      return finished('Done.');
    });
    const other = anIssue({ title: 'Renamed since' });
    await run(
      { ...killable, input: { ...killable.input, issue: other.issue }, model: () => scriptedChoice(model) },
      { journal: prefix },
    );
    expect(prompts[0]).toContain('Sum is wrong');
    expect(prompts[0]).not.toContain('Renamed since');
  });
});
