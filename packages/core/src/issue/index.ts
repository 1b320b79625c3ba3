export { activeMs } from './active-time.ts';
export {
  type Attempt,
  type AttemptOutcome,
  type AttemptRecord,
  attemptStates,
  type NewAttempt,
} from './attempt-store.ts';
export { authorizeIssue } from './authorize-issue.ts';
export { cancelIssue, cancelIssuesOf, expireGate } from './cancel-issue.ts';
export { compareBaseAtGate } from './compare-base.ts';
export { createIssue } from './create-issue.ts';
export { type DecideGateContext, decideGate } from './decide-gate.ts';
export { deleteIssue } from './delete-issue.ts';
export { editIssue } from './edit-issue.ts';
export {
  type EventData,
  type EventType,
  eventCatalog,
  type IssueEvent,
  issueEventWire,
  type LiveEvent,
  liveEventCatalog,
  milestoneEvents,
  type NewEvent,
} from './event-catalog.ts';
export type { ChangedIssue, EventLog } from './event-log.ts';
export type { Decision } from './gate-change.ts';
export { type GateWire, gateWire, toGateWire, toTriageWire } from './gate-wire.ts';
export type { Issue, ListedIssue, PublishedChangeRequest } from './issue.ts';
export { issueBounds } from './issue-bounds.ts';
export {
  type CreatedField,
  createdFields,
  domainName,
  type EditableFields,
  type EditedField,
  editedFields,
  type FieldFilter,
  type FilteredField,
  fieldsOf,
  filteredFields,
  issueFields,
  type SummarizedIssue,
} from './issue-fields.ts';
export {
  FAILURE_WANTED_MS,
  type Inbox,
  type InboxIssue,
  type InboxList,
  type InboxQuery,
  inboxBounds,
  inboxWants,
  type QueueReason,
  queueReasons,
  type WantedIssue,
  wantedAtGate,
} from './issue-inbox.ts';
export {
  type IssueStatus,
  type IssueTrigger,
  isActive,
  isEditable,
  isOpenForDecision,
  isPending,
  isRunnable,
  issueMachine,
  issueStatuses,
  isTerminal,
  mayHoldSlot,
  needsSlot,
  nextStatus,
  statusesWhere,
  takesNotes,
} from './issue-machine.ts';
export { type IssueError, type IssueResult, issueResultSchema } from './issue-result.ts';
export {
  type ApplyOutcome,
  type Attaching,
  type CountedQuery,
  type CreateIssueOutcome,
  type IssueChange,
  type IssueEdit,
  type IssueQuery,
  type IssueStore,
  MAX_COUNTED_ISSUES,
  type NewIssue,
} from './issue-store.ts';
export {
  type IssueWire,
  issueFilterWire,
  issueWire,
  listedFieldsWire,
  toFullIssueWire,
  toIssueWire,
  toListedFields,
} from './issue-wire.ts';
export {
  type JobDriver,
  type JobSink,
  QUEUE_SILENT_MS,
  type QueueLoad,
  type QueueStats,
  type SlotUse,
} from './job-queue.ts';
export type { Lease } from './lease.ts';
export type { Claimed } from './lease-store.ts';
export { GATE_REMINDER_MS, remindOfGate } from './remind-of-gate.ts';
export { retryIssue } from './retry-issue.ts';
export { runIssue } from './run-issue.ts';
export { sendNote } from './send-note.ts';
export type { EventsWritten, SignalListener, Signals } from './signals.ts';
