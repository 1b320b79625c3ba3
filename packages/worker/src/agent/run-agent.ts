import type { AgentInput, AgentResult, AgentRole } from '@sluice/core/agent';
import type { CommandPorts } from '../command/run-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { type JournalPorts, openJournal } from './open-journal.ts';
import { runAgentCommand } from './run-agent-command.ts';
import { withoutHostPaths } from './without-host-paths.ts';

export type AgentPorts = 'agents' | 'codeIndex' | JournalPorts | CommandPorts;

/** Runs a role in this stage. It continues from the journal of the round. */
export async function runAgent<R extends AgentRole>(
  stage: StageContext<AgentPorts>,
  role: R,
  work: { readonly input: AgentInput[R]; readonly onToolResult?: () => void },
): Promise<AgentResult<R>> {
  const { deps, options, execution, signal, draining, live, budget } = stage;
  const workspace = await stage.workspace();
  const beforeCall = () => stage.beforeModelCall();
  return deps.agents.run(role, work.input, {
    workspace,
    journal: await openJournal(stage, role, work.onToolResult),
    signal,
    async checkIn() {
      // Everything done so far is in the journal here, so the next worker repeats none of it.
      if (draining.aborted) execution.end('shutting_down');
      execution.signal.throwIfAborted();
      await budget.warn();
      budget.check();
      return deps.runs.notes(execution.issue().id);
    },
    said: () => deps.runs.said(execution.issue().id),
    limitUse: () => budget.use(),
    beforeModelCall: beforeCall,
    // The other roles only read.
    checkpoint: async () => (role === 'coder' ? workspace.checkpoint(signal) : null),
    search: (query, limit) => deps.codeIndex.search(workspace.repoId, { query, limit, beforeCall }, signal),
    outline: (file) => deps.codeIndex.outline(file),
    syntaxFaults: (file) => deps.codeIndex.syntaxFaults(file),
    async runCommand({ command, timeoutMs }) {
      const limits = options.sandboxLimits.agent;
      const own = { ...limits, timeoutMs: Math.min(timeoutMs, limits.timeoutMs) };
      const result = await runAgentCommand(stage, { command, workspace, limits: own, allowHosts: [] });
      return { ...result, output: withoutHostPaths(result.output, workspace) };
    },
    live: (event) => live.add(event),
  });
}
