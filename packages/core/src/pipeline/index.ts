export {
  ANY_APPROVER,
  type ApprovalPolicy,
  approvalRules,
  approvalStanding,
  gateApprovals,
  isStricter,
  policyAtGate,
} from './approval-policy.ts';
export {
  BUDGET_WARNING_SHARE,
  type Budget,
  type BudgetUse,
  budgetSchema,
  budgetUse,
  type Spent,
} from './budget.ts';
export { BUILTIN_LABEL } from './builtin-label.ts';
export { environmentFailure } from './environment-failure.ts';
export {
  buildFollowUpKey,
  type FollowUpCause,
  followUpKey,
  remarksOf,
} from './follow-up-cause.ts';
export { decisionActions, type Gate } from './gate.ts';
export { MODEL_NEEDED } from './model-needed.ts';
export { NOTHING_TO_DO } from './nothing-to-do.ts';
export {
  type BudgetState,
  type CommandSource,
  type EndedRound,
  endedBefore,
  type Implementation,
  NEW_PIPELINE,
  nextImplementRound,
  type OutsidePlan,
  outsidePlanSchema,
  type PipelineState,
  type Prepared,
  type Publication,
  type RanCommand,
  type Review,
  type Rounds,
  ranCommandSchema,
  reviewSchema,
  type Triage,
  triageSchema,
  withoutRound,
} from './pipeline-state.ts';
export {
  gitPath,
  type Plan,
  type PlanDraft,
  planDraftSchema,
  planHash,
  plannedFiles,
  planSchema,
  proposedCommands,
} from './plan.ts';
export { type PlanPaths, planPaths, withIgnored } from './plan-paths.ts';
export { type PlannerOutput, plannerFindings, plannerOutputSchema } from './planner-output.ts';
export { continuesRound, keptByRetry } from './retried-pipeline.ts';
export {
  type RemarkAnswer,
  type RemarkEnd,
  type ReviewRemark,
  remarkAnswerSchema,
} from './review-remark.ts';
export { stageRound } from './stage-round.ts';
export {
  pipelineStages,
  type Stage,
  stageAfter,
  stages,
  type WorkerStage,
} from './stages.ts';
export { listed, renderUncounted, testFacts } from './test-facts.ts';
export {
  type BaseTests,
  type FlakyTest,
  type Reproduction,
  type TestCounts,
  type TestGap,
  type TestReport,
  type TestRun,
  testReportSchema,
  testRunSchema,
  type UnreadReason,
} from './test-report.ts';
export { NOTHING_TOUCHED, type TouchedTests } from './touched-tests.ts';
export { addUsage, exactUsd, NO_USAGE, type Usage, usageSchema } from './usage.ts';
