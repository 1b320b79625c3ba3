import {
  type AgentContext,
  type AgentInput,
  type AgentOutput,
  type AgentRole,
  type AgentRunner,
  addUsage,
  NO_USAGE,
  type Usage,
} from '@sluice/core';

/** What a role answers; it may use its tools first. */
export type Script = {
  [R in AgentRole]: (input: AgentInput[R], context: AgentContext) => Promise<AgentOutput[R]> | AgentOutput[R];
};

export interface ScriptedAgents extends AgentRunner {
  /** What each run was given, in order. */
  readonly inputs: { [R in AgentRole]: AgentInput[R][] };
}

export const CALL_USAGE: Usage = { input_tokens: 10, output_tokens: 5, cost_usd: 0 };

const defaults: Script = {
  triager: () => ({
    kind: 'bug',
    summary: 'sum forgets an argument',
    acceptance_criteria: ['sum(1, 2, 3) is 6'],
    risk: 'low',
    open_questions: [],
  }),
  planner: ({ guidance }) => ({
    summary: guidance === null ? 'Fix sum.' : `Fix sum: ${guidance}`,
    steps: [{ title: 'Fix', detail: 'Reduce.', files: ['src/sum.js'] }],
    acceptance_criteria: ['sum(1, 2, 3) is 6'],
    risks: [],
    test_strategy: 'Run the tests.',
  }),
  coder: async (_, context) => {
    await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
    return { outcome: 'done', summary: 'sum is fixed' };
  },
  reviewer: () => ({ decision: 'approve', summary: 'Fine.', findings: [] }),
};

/** Agents that say what a test wrote down for them, and keep their journal as real ones do. */
export function scriptedAgents(script: Partial<Script> = {}): ScriptedAgents {
  const roles: Script = { ...defaults, ...script };
  const inputs: ScriptedAgents['inputs'] = { triager: [], planner: [], coder: [], reviewer: [] };
  return {
    inputs,
    label: () => 'scripted',
    async run(role, input, context) {
      inputs[role].push(input);
      const { journal } = context;
      const used = journal.entries.reduce(
        (sum, entry) => (entry.kind === 'usage' ? addUsage(sum, entry.usage) : sum),
        NO_USAGE,
      );
      const done = journal.entries.find((entry) => entry.kind === 'done');
      if (done !== undefined) return { output: done.output as never, usage: used };
      const output = await roles[role](input, context);
      await journal.append(
        [
          { kind: 'usage', usage: CALL_USAGE },
          { kind: 'done', output },
        ],
        [],
      );
      return { output, usage: addUsage(used, CALL_USAGE) };
    },
  };
}

/** One journaled tool call: begun before its effect, ended after it, and not made again when the journal has its result. */
export async function writeByTool(context: AgentContext, file: { path: string; text: string }): Promise<void> {
  const { journal, workspace } = context;
  const callId = `write ${file.path} ${file.text}`;
  if (journal.entries.some((entry) => entry.kind === 'result' && entry.callId === callId)) return;
  if (!journal.entries.some((entry) => entry.kind === 'begin' && entry.callId === callId)) {
    await journal.append(
      [{ kind: 'begin', callId }],
      [
        {
          type: 'agent.tool_call',
          data: { agent: 'coder', call_id: callId, tool: 'write', input: { path: file.path } },
        },
      ],
    );
  }
  await workspace.files.write(file.path, file.text);
  await journal.append(
    [{ kind: 'result', callId, message: 'written' }],
    [
      {
        type: 'agent.tool_result',
        data: { agent: 'coder', call_id: callId, tool: 'write', ok: true, summary: 'written' },
      },
    ],
  );
}
