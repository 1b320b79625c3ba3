import { router } from '../procedure/procedure.ts';
import { cancelIssue } from './cancel-issue.procedure.ts';
import { createIssue } from './create-issue.procedure.ts';
import { approvePlan } from './decide-gate.procedure.ts';
import { deleteIssue } from './delete-issue.ts';
import { editIssue } from './edit-issue.procedure.ts';
import { getDiff } from './get-diff.procedure.ts';
import { getHistory } from './get-history.procedure.ts';
import { getIssue } from './get-issue.ts';
import { getLog } from './get-log.procedure.ts';
import { importIssue } from './import-issue.procedure.ts';
import { listIssues } from './issues.procedure.ts';
import { listPlans } from './list-plans.ts';
import { listSteps } from './list-steps.procedure.ts';
import { retryIssue } from './run-issue.procedure.ts';
import { sendMessage } from './send-message.procedure.ts';
import { runIssue } from './start-issue.ts';
import { watchIssue } from './watch-issue.procedure.ts';

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
  events: watchIssue,
  history: getHistory,
  steps: listSteps,
  plans: listPlans,
  diff: getDiff,
  log: getLog,
});
