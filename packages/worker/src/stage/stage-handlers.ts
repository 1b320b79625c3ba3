import type { WorkedStage } from '@sluice/core';
import { implement } from './implement.ts';
import { indexCode } from './index-code.ts';
import { plan } from './plan.ts';
import { prepare } from './prepare.ts';
import { publish } from './publish.ts';
import { review } from './review.ts';
import { runTests } from './run-tests.ts';
import type { StageEnd } from './stage-end.ts';
import type { StageRun } from './stage-run.ts';
import { triage } from './triage.ts';

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
