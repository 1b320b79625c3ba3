import type { AgentContext, AgentInput, AgentOutput, AgentRole, AgentRunner, JournalEntry } from '@sluice/core/agent';
import { addUsage, NO_USAGE, type Usage } from '@sluice/core/pipeline';
import { digest } from './digest.ts';
import type { Outside } from './outside.ts';
import type { SimProcess } from './sim-process.ts';

const CALL_USAGE: Usage = { input_tokens: 10, output_tokens: 5, cost_usd: 0 };

/** The files that the coder changes. Both get the same text, made from what it read: a mixed tree shows. */
export const CODER_FILES = ['a.js', 'b.js'] as const;

/** Agents that keep their journal as real ones do, with a model whose answers depend on what it is asked. */
export function createRoles(process: SimProcess, outside: Outside): AgentRunner {
  async function callModel(context: AgentContext, asked: string): Promise<string> {
    const { issueId } = context.workspace;
    await context.beforeModelCall();
    const options = { signal: context.signal, lost: 'model_unavailable' } as const;
    return await outside.send({ process, what: 'model', issueId }, options, () => digest(asked).slice(0, 12));
  }

  /** One turn: notes, then the model, then the answer with its usage in the journal. */
  async function turn(context: AgentContext, entries: JournalEntry[], asked: () => Promise<string>): Promise<string> {
    const answered = entries.find((entry) => entry.kind === 'message');
    if (answered?.kind === 'message') return String(answered.message);
    const notes = await context.checkIn();
    const read = notes.map(({ seq, text }): JournalEntry => ({ kind: 'note', seq, message: text }));
    const message = await callModel(context, `${await asked()} ${notes.map(({ text }) => text).join()}`);
    const made: JournalEntry[] = [
      ...read,
      { kind: 'message', message },
      { kind: 'usage', usage: CALL_USAGE, model: 'sim/model' },
    ];
    await context.journal.append({ entries: made, events: [] });
    entries.push(...made);
    return message;
  }

  /** One tool call: begun before its effect, ended after it with a checkpoint, and not made again once it has its result. */
  async function write(context: AgentContext, entries: JournalEntry[], { path, text }: { path: string; text: string }) {
    const callId = `write ${path}`;
    const standing = withoutUndone(entries);
    if (standing.some((entry) => entry.kind === 'result' && entry.callId === callId)) return;
    if (!standing.some((entry) => entry.kind === 'begin' && entry.callId === callId)) {
      const event = { agent: 'coder', call_id: callId, tool: 'write', input: { path } };
      await context.journal.append({
        entries: [{ kind: 'begin', callId }],
        events: [{ type: 'agent.tool_call', data: event }],
      });
    }
    await context.workspace.files.write(path, text);
    const kept = await context.checkpoint();
    const event = { agent: 'coder', call_id: callId, tool: 'write', ok: true, summary: 'written' };
    await context.journal.append({
      entries: [
        { kind: 'result', callId, message: 'written' },
        { kind: 'checkpoint', commit: kept?.commit ?? null },
      ],
      events: [{ type: 'agent.tool_result', data: event }],
      ...(kept !== null && { checkpoint: kept }),
    });
  }

  async function code(context: AgentContext, entries: JournalEntry[], asked: string): Promise<AgentOutput['coder']> {
    const read = async () => {
      const texts = await Promise.all(CODER_FILES.map((path) => context.workspace.files.read(path)));
      return `${asked} ${texts.join(' ')}`;
    };
    const text = await turn(context, entries, read);
    for (const path of CODER_FILES) await write(context, entries, { path, text });
    return { outcome: 'done', summary: `wrote ${text}`, outsidePlan: [] };
  }

  const answers: { readonly [R in AgentRole]: (text: string) => AgentOutput[R] } = {
    triager: (text) => ({
      kind: 'bug',
      summary: text,
      acceptance_criteria: [],
      risk: 'low',
      open_questions: [],
    }),
    planner: (text) => ({
      summary: `Plan ${text}`,
      steps: [{ title: 'Fix', detail: 'Change both.', files: [...CODER_FILES] }],
      acceptance_criteria: [],
      risks: [],
      test_strategy: 'Run the tests.',
    }),
    coder: (text) => ({ outcome: 'done', summary: text, outsidePlan: [] }),
    reviewer: (text) => ({
      decision: text.startsWith('0') ? 'request_changes' : 'approve',
      summary: text,
      findings: [],
    }),
  };

  return {
    async run(role, input, context) {
      const entries = [...context.journal.entries];
      const done = entries.find((entry) => entry.kind === 'done');
      const asked = question(role, input);
      let output: unknown;
      if (done?.kind === 'done') output = done.output;
      else {
        output =
          role === 'coder'
            ? await code(context, entries, asked)
            : answers[role](
                await turn(context, entries, async () => {
                  if (role === 'planner') await context.search(input.issue.title, 5);
                  return asked;
                }),
              );
        await context.journal.append({ entries: [{ kind: 'done', output }], events: [] });
      }
      const usage = entries.reduce(
        (sum, entry) => (entry.kind === 'usage' ? addUsage(sum, entry.usage) : sum),
        NO_USAGE,
      );
      return { output: output as never, usage, madeBy: ['simulated'], retrieved: [] };
    },
    plannerTriages: () => false,
    promptRevision: () => 'simulated',
    planBlocker: async () => null,
  };
}

/** The request to a model, without the time that is in a plan: it would be another one in each run. */
function question<R extends AgentRole>(role: R, input: AgentInput[R]): string {
  const { id, plan } = input.issue;
  const last = plan === null ? null : [plan.revision, plan.summary];
  const guidance = 'guidance' in input ? input.guidance : null;
  return `${role} ${JSON.stringify({ id, last, guidance, round: 'round' in input ? input.round : null })}`;
}

/** A rewind takes back all calls since the last checkpoint. */
function withoutUndone(entries: readonly JournalEntry[]): JournalEntry[] {
  let held: JournalEntry[] = [];
  for (const entry of entries) {
    held.push(entry);
    if (entry.kind !== 'rewind') continue;
    const last = held.findLastIndex(({ kind }) => kind === 'checkpoint');
    held = held.filter(({ kind }, at) => at <= last || (kind !== 'begin' && kind !== 'result'));
  }
  return held;
}
