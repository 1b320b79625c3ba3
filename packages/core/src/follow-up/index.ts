export { answerBuild } from './answer-build.ts';
export { type CausedFollowUp, createCausedFollowUp } from './create-caused-follow-up.ts';
export { createFollowUp } from './create-follow-up.ts';
export { type FollowUpTrigger, followUpTriggers } from './follow-up-triggers.ts';
export {
  approvalSource,
  filesOutside,
  renderOutsideApproval,
} from './inherited-approval.ts';
export { canBeFollowedUp } from './is-follow-up-trigger.ts';
export { exceedsRounds, roundsSoFar } from './review-rounds.ts';
