import { AppError, type Review } from '@sluice/core';
import { runAgent } from '../agent/run-agent.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, gaveUp, type StageEnd, sendBack } from '../stage/stage-end.ts';
import { committedChange } from '../workspace/implementation-commit.ts';
import { currentPlan } from './approved-plan.ts';

/** Has the committed change reviewed against the plan. */
export async function review(stage: StageContext): Promise<StageEnd> {
  const issue = stage.execution.issue();
  const { pipeline } = issue;
  const { output, madeBy } = await runAgent(stage, 'reviewer', {
    input: {
      issue,
      plan: currentPlan(issue),
      diff: await committedChange(stage),
      tests: pipeline.tests,
      outsidePlan: pipeline.implementation?.outside_plan ?? [],
    },
  });
  const label = madeBy.join(', ');
  if (output.decision === 'approve') {
    return advance('review', { pipeline: { review: output }, detail: `approved by ${label}` });
  }
  const bound = stage.options.bounds.reviewSendBacks;
  const sentBack = pipeline.review_send_backs;
  if (sentBack >= bound) {
    return gaveUp(
      new AppError('review_refused', {
        detail: `The review asked for changes ${sentBack + 1} times.\n${inWords(output)}`,
      }),
      { pipeline: { review: output } },
    );
  }
  return sendBack(pipeline, {
    feedback: `The review asks for changes.\n${inWords(output)}`,
    detail: `changes requested by ${label}: sent back to the coder (${sentBack + 1} of ${bound})`,
    pipeline: { review: output, review_send_backs: sentBack + 1 },
  });
}

function inWords(found: Review): string {
  return [found.summary, ...found.findings.map((finding) => `- ${finding}`)].join('\n');
}
