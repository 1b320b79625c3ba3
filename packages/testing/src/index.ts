export { aGate, aPlan } from './builder/a-plan.ts';
export { aNewRepo, aRepo } from './builder/a-repo.ts';
export { aNewUser, aUser } from './builder/a-user.ts';
export { aNewIssue, anIssue } from './builder/an-issue.ts';
export { countingIds, newId } from './builder/ids.ts';
export { type SettableClock, settableClock } from './builder/settable-clock.ts';
