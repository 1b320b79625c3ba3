import { AppError } from '@sluice/core/error';
import type { PipelineState, Review } from '@sluice/core/pipeline';
import { type AgentPorts, runAgent } from '../agent/run-agent.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, gaveUp, type StageEnd, sendBack } from '../stage/stage-end.ts';
import { committedChange, isCleanMerge, lastImplementation } from '../workspace/implementation-commit.ts';
import { currentPlan } from './current-plan.ts';
import { environmentOf } from './environment/render-environment.ts';
import { findingsInChange } from './findings-in-change.ts';
import { namedTests } from './verdict/named-tests.ts';

/** Has the committed change reviewed against the plan. */
export async function review(stage: StageContext<AgentPorts | 'commands'>): Promise<StageEnd> {
  const issue = stage.execution.issue();
  const { pipeline } = issue;
  if (isCleanMerge(pipeline)) return advance('review', { detail: 'nothing to review: git merged it alone' });
  const change = await committedChange(stage);
  // Before the reviewer decides, so that nobody decides without it.
  const implementation = { ...lastImplementation(pipeline), findings: await findingsInChange(stage, change) };
  const { output, madeBy } = await runAgent(stage, 'reviewer', {
    input: {
      issue,
      plan: currentPlan(issue),
      diff: change,
      tests: implementation.tests,
      outsidePlan: implementation.outside_plan,
      ran: implementation.ran,
      // A review may have been wrong, and the author may have said why.
      authorSays: pipeline.rounds.review_send_backs === 0 ? null : implementation.summary,
      environment: environmentOf(pipeline.prepared),
      findings: implementation.findings,
    },
  });
  const reviewed = { implementation: { ...implementation, review: output } };
  const label = madeBy.join(', ');
  if (output.decision === 'approve') {
    return advance('review', { pipeline: reviewed, detail: `approved by ${label}` });
  }
  const bound = stage.options.bounds.reviewSendBacks;
  const sentBack = pipeline.rounds.review_send_backs;
  if (sentBack >= bound) {
    return gaveUp(
      new AppError('review_refused', {
        detail: `The review asked for changes ${sentBack + 1} times.\n${renderReview(output)}`,
      }),
      { pipeline: reviewed },
    );
  }
  const end = sendBack(pipeline, {
    feedback: `The review asks for changes.\n${renderReview(output)}`,
    detail: `changes requested by ${label}: sent back to the coder (${sentBack + 1} of ${bound})`,
    rounds: { review_send_backs: sentBack + 1 },
    ...reviewed,
  });
  return {
    ...end,
    pipeline: { ...end.pipeline, testing: { ...pipeline.testing, must_pass: toBeFixed(pipeline, output) } },
  };
}

/** Tests that failed at the base already, and that this review or an earlier one wants fixed. */
function toBeFixed({ testing, implementation }: PipelineState, { summary, findings }: Review): string[] {
  const failedBefore = implementation?.tests?.failed_before ?? [];
  return [...new Set([...testing.must_pass, ...namedTests(failedBefore, [summary, ...findings], [])])];
}

function renderReview(found: Review): string {
  return [found.summary, ...found.findings.map((finding) => `- ${finding}`)].join('\n');
}
