import type { WorkedStage } from '@sluice/core';
import type { StageRun } from '../stage/stage-context.ts';
import type { StageEnd } from '../stage/stage-end.ts';
import { implement } from '../stages/implement/implement.ts';
import { indexCode } from '../stages/index-code.ts';
import { plan } from '../stages/plan/plan.ts';
import { prepare } from '../stages/prepare.ts';
import { publish } from '../stages/publish/publish.ts';
import { review } from '../stages/review.ts';
import { runTests } from '../stages/run-tests.ts';
import { triage } from '../stages/triage.ts';

/** Who does the work of each stage. A stage without a handler does not compile. */
export const stageHandlers: Readonly<Record<WorkedStage, (stage: StageRun) => Promise<StageEnd>>> = {
  prepare,
  index: indexCode,
  triage,
  plan,
  implement,
  test: runTests,
  review,
  publish,
};
