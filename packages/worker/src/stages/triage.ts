import { AppError, type ErrorCode } from '@sluice/core/error';
import { type AgentPorts, runAgent } from '../agent/run-agent.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, type StageEnd } from '../stage/stage-end.ts';

/** Failures of the triager's answer itself. The planner reads the whole issue anyway, so it goes on without triage. */
const UNUSABLE: ReadonlySet<ErrorCode> = new Set([
  'agent_output_invalid',
  'agent_turns_exceeded',
  'agent_blocked',
  'model_request_refused',
  'model_answer_withheld',
]);

/** Finds out the kind of the issue and its acceptance criteria, unless the planner does. */
export async function triage(stage: StageContext<AgentPorts>): Promise<StageEnd> {
  if (stage.execution.issue().pipeline.follow_up?.kind === 'base') return advance('triage', { detail: 'a merge' });
  if (stage.deps.agents.plannerTriages()) return advance('triage', { detail: 'done by the planner' });
  try {
    const { output, madeBy } = await runAgent(stage, 'triager', {
      input: { issue: stage.execution.issue(), repo: stage.repo },
    });
    return advance('triage', { pipeline: { triage: output }, detail: madeBy.join(', ') });
  } catch (error) {
    stage.signal.throwIfAborted();
    if (!(error instanceof AppError) || !UNUSABLE.has(error.code)) throw error;
    return advance('triage', { detail: 'skipped', notes: [`The issue goes on without triage. ${error.message}`] });
  }
}
