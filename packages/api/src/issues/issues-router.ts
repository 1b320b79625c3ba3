import { router } from '../procedure/procedure.ts';
import { approvePlan } from './approve-plan.ts';
import { cancelIssue } from './cancel-issue.ts';
import { createIssue } from './create-issue.ts';
import { deleteIssue } from './delete-issue.ts';
import { editIssue } from './edit-issue.ts';
import { getDiff } from './get-diff.ts';
import { getHistory } from './get-history.ts';
import { getIssue } from './get-issue.ts';
import { getLog } from './get-log.ts';
import { importIssue } from './import-issue.ts';
import { listIssues } from './list-issues.ts';
import { listPlans } from './list-plans.ts';
import { listSteps } from './list-steps.ts';
import { retryIssue } from './retry-issue.ts';
import { runIssue } from './run-issue.ts';
import { sendMessage } from './send-message.ts';
import { watchEvents } from './watch-events.ts';

export const issuesRouter = router({
  list: listIssues,
  create: createIssue,
  import: importIssue,
  get: getIssue,
  update: editIssue,
  run: runIssue,
  retry: retryIssue,
  approve: approvePlan,
  message: sendMessage,
  cancel: cancelIssue,
  delete: deleteIssue,
  events: watchEvents,
  history: getHistory,
  steps: listSteps,
  plans: listPlans,
  diff: getDiff,
  log: getLog,
});
