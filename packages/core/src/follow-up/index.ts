export { answerBuild } from './answer-build.ts';
export { buildFollowUp } from './build-follow-up.ts';
export { createCausedFollowUp } from './create-caused-follow-up.ts';
export { createFollowUp } from './create-follow-up.ts';
export { type FollowUpTrigger, followUpTriggers } from './follow-up-triggers.ts';
export {
  approvalSource,
  filesOutside,
  renderOutsideApproval,
} from './inherited-approval.ts';
export { canBeFollowedUp } from './is-follow-up-trigger.ts';
export { filesMoved, isBaseConcern, type MovedBase, mergeFollowUp } from './merge-follow-up.ts';
export { exceedsRounds, roundsSoFar } from './review-rounds.ts';
