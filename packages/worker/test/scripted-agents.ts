import type {
  AgentContext,
  AgentInput,
  AgentOutput,
  AgentRole,
  AgentRunner,
  Journal,
  JournalEntry,
} from '@sluice/core/agent';
import { addUsage, NO_USAGE, type Usage } from '@sluice/core/pipeline';

/** The answer of a role; it may use its tools first. */
export type Script = {
  [R in AgentRole]: (input: AgentInput[R], context: AgentContext) => Promise<AgentOutput[R]> | AgentOutput[R];
};

export interface ScriptedAgents extends AgentRunner {
  /** The input of each run, in order. */
  readonly inputs: { [R in AgentRole]: AgentInput[R][] };
}

export const CALL_USAGE: Usage = { input_tokens: 10, output_tokens: 5, cost_usd: 0 };

/** What the coder ran, unless a script says otherwise. */
export const RAN = [{ command: 'node --test', result: 'exit code 0' }];

/** A plan that names no test. */
export const PLAN: AgentOutput['planner'] = {
  summary: 'Fix sum.',
  steps: [{ title: 'Fix', detail: 'Reduce.', files: ['src/sum.js'] }],
  acceptance_criteria: ['sum(1, 2, 3) is 6'],
  risks: [],
  test_strategy: 'Run the tests.',
};

const defaults: Script = {
  triager: () => ({
    kind: 'bug',
    summary: 'sum forgets an argument',
    acceptance_criteria: ['sum(1, 2, 3) is 6'],
    risk: 'low',
    open_questions: [],
  }),
  planner: ({ guidance }) => ({
    ...PLAN,
    summary: guidance === null ? PLAN.summary : `Fix sum: ${guidance}`,
    test_strategy: 'The test "adds" passes.',
  }),
  coder: async (_, context) => {
    await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
    return { outcome: 'done', summary: 'sum is fixed', ran: RAN, outsidePlan: [] };
  },
  reviewer: () => ({ decision: 'approve', summary: 'Fine.', findings: [] }),
};

/** Agents that answer by script and keep their journal as real ones do. */
export function scriptedAgents(
  script: Partial<Script> = {},
  { plannerTriages = false, label = 'scripted' }: { plannerTriages?: boolean; label?: string } = {},
): ScriptedAgents {
  const roles: Script = { ...defaults, ...script };
  const inputs: ScriptedAgents['inputs'] = { triager: [], planner: [], coder: [], reviewer: [] };
  return {
    inputs,
    plannerTriages: () => plannerTriages,
    promptRevision: () => 'scripted',
    planBlocker: async () => null,
    async run(role, input, given) {
      inputs[role].push(input);
      const written: JournalEntry[] = [];
      const journal: Journal = {
        ...given.journal,
        async append(write) {
          await given.journal.append(write);
          written.push(...write.entries);
        },
      };
      const context = { ...given, journal };
      const used = journal.entries.reduce(
        (sum, entry) => (entry.kind === 'usage' ? addUsage(sum, entry.usage) : sum),
        NO_USAGE,
      );
      const retrieved = () =>
        [...journal.entries, ...written].flatMap((entry) => (entry.kind === 'retrieved' ? entry.paths : []));
      const madeBy = [label];
      const done = journal.entries.find((entry) => entry.kind === 'done');
      if (done !== undefined) return { output: done.output as never, usage: used, madeBy, retrieved: retrieved() };
      const output = await roles[role](input, context);
      await checkIn(context);
      await context.beforeModelCall();
      await journal.append({ entries: [usageOf(CALL_USAGE), { kind: 'done', output }], events: [] });
      return { output, usage: addUsage(used, CALL_USAGE), madeBy, retrieved: retrieved() };
    },
  };
}

function usageOf(usage: Usage): JournalEntry {
  return { kind: 'usage', usage, model: 'test/scripted' };
}

/** Reads new notes and marks them as read. @throws when the budget is used up */
async function checkIn({ checkIn, journal }: AgentContext): Promise<void> {
  const notes = await checkIn();
  if (notes.length === 0) return;
  const entries = notes.map(({ seq, text }): JournalEntry => ({ kind: 'note', seq, message: text }));
  await journal.append({ entries, events: [] });
}

/** One answer of a model: asked for after the check-in, paid for once, and not asked for again when the journal has it. */
export async function answer(
  context: AgentContext,
  words: string,
  { usage = CALL_USAGE, asked = [] }: { usage?: Usage; asked?: string[] } = {},
): Promise<void> {
  const { journal } = context;
  if (journal.entries.some((entry) => entry.kind === 'message' && entry.message === words)) return;
  await checkIn(context);
  await context.beforeModelCall();
  asked.push(words);
  await journal.append({ entries: [{ kind: 'message', message: words }, usageOf(usage)], events: [] });
}

/**
 * One journaled tool call: begun before its effect, ended after it with a checkpoint of the tree, and not made again
 * when the journal has its result.
 */
export async function writeByTool(context: AgentContext, file: { path: string; text: string }): Promise<void> {
  const { journal, workspace } = context;
  const callId = `write ${file.path} ${file.text}`;
  const entries = standing(journal.entries);
  if (entries.some((entry) => entry.kind === 'result' && entry.callId === callId)) return;
  if (!entries.some((entry) => entry.kind === 'begin' && entry.callId === callId)) {
    await journal.append({
      entries: [{ kind: 'begin', callId }],
      events: [
        {
          type: 'agent.tool_call',
          data: { agent: 'coder', call_id: callId, tool: 'write', input: { path: file.path } },
        },
      ],
    });
  }
  await workspace.files.write(file.path, file.text);
  const kept = await context.checkpoint();
  await journal.append({
    entries: [
      { kind: 'result', callId, message: 'written' },
      { kind: 'checkpoint', commit: kept?.commit ?? null },
    ],
    events: [
      {
        type: 'agent.tool_result',
        data: { agent: 'coder', call_id: callId, tool: 'write', ok: true, summary: 'written' },
      },
    ],
    ...(kept !== null && { checkpoint: kept }),
  });
}

/** One journaled look at a file, which is not repeated when the journal has what was seen. */
export async function readByTool(context: AgentContext, path: string): Promise<string> {
  const { journal, workspace } = context;
  const callId = `read ${path}`;
  const seen = standing(journal.entries).find((entry) => entry.kind === 'result' && entry.callId === callId);
  if (seen?.kind === 'result') return String(seen.message);
  const text = await workspace.files.read(path);
  await journal.append({ entries: [{ kind: 'result', callId, message: text }], events: [] });
  return text;
}

/** The valid part of a journal: a rewind removes all calls since the last checkpoint. */
function standing(entries: readonly JournalEntry[]): JournalEntry[] {
  let held: JournalEntry[] = [];
  for (const entry of entries) {
    held.push(entry);
    if (entry.kind !== 'rewind') continue;
    const last = held.findLastIndex(({ kind }) => kind === 'checkpoint');
    held = held.filter(({ kind }, at) => at <= last || (kind !== 'begin' && kind !== 'result'));
  }
  return held;
}
