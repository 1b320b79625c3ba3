import type { Issue, IssueStatus, Stage } from '@sluice/client';
import { stageNames } from '../format/issue-words.ts';

const stages = Object.keys(stageNames) as readonly Stage[];

type StageState = 'done' | 'current' | 'waiting' | 'stopped' | 'ahead' | 'skipped';

const currentState: Record<IssueStatus, StageState> = {
  pending: 'waiting',
  running: 'current',
  human_review: 'current',
  awaiting_approval: 'waiting',
  completed: 'done',
  rejected: 'stopped',
  failed: 'stopped',
  cancelled: 'stopped',
};

/** The word for each state. */
export const stateWords: Record<StageState, string> = {
  done: 'done',
  current: 'under way',
  waiting: 'waits',
  stopped: 'stopped here',
  ahead: 'not reached',
  skipped: 'not needed',
};

/** The sign for each state. */
export const stageMarks: Record<StageState, string> = {
  done: '✓',
  current: '●',
  waiting: '‖',
  stopped: '✕',
  ahead: '',
  skipped: '–',
};

type StagedIssue = Pick<Issue, 'status' | 'stage' | 'error'>;

/** How far an issue has come: the state of each stage. */
export function stageStates(issue: StagedIssue): readonly { readonly stage: Stage; readonly state: StageState }[] {
  const at = (stages as readonly (string | null)[]).indexOf(reached(issue));
  const { status } = issue;
  return stages.map((stage, index) => ({
    stage,
    state: index < at ? 'done' : index === at ? currentState[status] : status === 'completed' ? 'skipped' : 'ahead',
  }));
}

/** A retried issue has its stage again; a failed one names the stage in its error too. */
function reached({ stage, error }: StagedIssue): string | null {
  return error?.stage ?? stage;
}
