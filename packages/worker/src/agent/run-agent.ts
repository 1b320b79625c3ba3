import type { AgentInput, AgentResult, AgentRole } from '@sluice/core';
import { runCommand } from '../command/run-command.ts';
import type { StageRun } from '../stage/stage-run.ts';
import { openJournal } from './open-journal.ts';

/** Runs a role in this stage, going on from the round's journal. */
export async function runAgent<R extends AgentRole>(
  stage: StageRun,
  role: R,
  work: { readonly input: AgentInput[R]; readonly onToolResult?: () => void },
): Promise<AgentResult<R>> {
  const { deps, options, signal, live } = stage;
  const workspace = await stage.workspace();
  return deps.agents.run(role, work.input, {
    workspace,
    journal: await openJournal(stage, work.onToolResult),
    signal,
    search: (query, limit) => deps.codeIndex.search(workspace.repoId, query, limit),
    runCommand: ({ command }) =>
      runCommand(stage, { command, workspace, limits: options.sandboxLimits.agent, allowHosts: [] }),
    live: (event) => live.add(event),
  });
}
