import { type AgentPorts, runAgent } from '../agent/run-agent.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, type StageEnd } from '../stage/stage-end.ts';

/** Finds out the kind of the issue and its acceptance criteria. */
export async function triage(stage: StageContext<AgentPorts>): Promise<StageEnd> {
  const { output, madeBy } = await runAgent(stage, 'triager', {
    input: { issue: stage.execution.issue(), repo: stage.repo },
  });
  return advance('triage', { pipeline: { triage: output }, detail: madeBy.join(', ') });
}
