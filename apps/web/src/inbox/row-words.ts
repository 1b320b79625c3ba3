import type { InboxIssue, IssueStatus, QueuedIssue, WantedIssue } from '@sluice/client';
import { formatCount } from '../format/amounts.ts';
import { stageWords, statusWords, verdictWords } from '../format/issue-words.ts';
import type { Tone } from '../ui/badge.tsx';

/** An issue of any list: only those of the inbox say what is wanted, or why it waits. */
export type ListedIssue = InboxIssue &
  Partial<Pick<WantedIssue, 'wants' | 'since' | 'holds_up' | 'error'>> &
  Partial<Pick<QueuedIssue, 'waits_for'>>;

/** What a row says of an issue beside its title, repository and cost. */
export interface RowWords {
  readonly tone: Tone;
  /** The state, in a word or two. */
  readonly label: string;
  /** The event that the issue waits for, or its work; empty where the label says it all. */
  readonly detail: string;
  /** How long the state lasts, or when it began. */
  readonly time: { readonly word: string; readonly at: string; readonly kind: 'elapsed' | 'relative' };
}

export function rowWords(issue: ListedIssue): RowWords {
  return issue.wants === undefined ? byStatus[issue.status](issue) : wantedWords(issue, issue.wants);
}

const wants: Readonly<Record<WantedIssue['wants'], Pick<RowWords, 'tone' | 'label' | 'detail'>>> = {
  plan: { tone: 'warn', label: 'Plan', detail: 'approve the plan, or instruct' },
  question: { tone: 'warn', label: 'Question', detail: 'answer what is open' },
  publish: { tone: 'warn', label: 'Publish', detail: 'decide whether to publish the change' },
  failure: { tone: 'bad', label: 'Failed', detail: 'read why, and retry' },
};

function wantedWords(issue: ListedIssue, want: WantedIssue['wants']): RowWords {
  const { tone, label, detail } = wants[want];
  return {
    tone,
    label,
    detail: issue.error?.detail ?? `${detail}${heldUp(issue)}`,
    time: {
      word: want === 'failure' ? '' : 'waiting',
      at: issue.since ?? issue.updated_at,
      kind: want === 'failure' ? 'relative' : 'elapsed',
    },
  };
}

function heldUp({ holds_up: { repo, slot } = { repo: 0, slot: 0 } }: ListedIssue): string {
  const count = repo + slot;
  if (count === 0) return '';
  return count === 1 ? '; 1 issue waits for it' : `; ${formatCount(count)} issues wait for it`;
}

const reasons: Readonly<Record<QueuedIssue['waits_for'], string>> = {
  slot: 'waits for a free slot',
  repo: 'waits for another issue of this repository',
  own_limit: 'waits for one of your running issues to end',
  budget: 'waits for budget',
};

const decision = (issue: ListedIssue): RowWords => ({
  tone: 'warn',
  label: statusWords[issue.status],
  detail: '',
  time: { word: 'waiting', at: issue.updated_at, kind: 'elapsed' },
});

const ended =
  (tone: Tone) =>
  (issue: ListedIssue): RowWords => ({
    tone,
    label: statusWords[issue.status],
    detail: issue.verdict === null ? '' : verdictWords[issue.verdict],
    time: { word: '', at: issue.finished_at ?? issue.updated_at, kind: 'relative' },
  });

const byStatus: Readonly<Record<IssueStatus, (issue: ListedIssue) => RowWords>> = {
  pending: (issue) => {
    const { queue_position: position, queued_at: queuedAt, waits_for_repo: isBehind, created_at: createdAt } = issue;
    const isHeld = issue.queue_reason === 'budget';
    if (position === null && queuedAt === null && !isBehind)
      return {
        tone: 'neutral',
        label: 'Draft',
        detail: 'not started',
        time: { word: 'created', at: createdAt, kind: 'relative' },
      };
    return {
      tone: 'neutral',
      label: isHeld ? 'Held' : position === null ? 'Queued' : `Queued, no. ${position}`,
      detail: reasons[issue.waits_for ?? (isHeld ? 'budget' : isBehind ? 'repo' : 'slot')],
      time: { word: 'waiting', at: queuedAt ?? createdAt, kind: 'elapsed' },
    };
  },
  running: (issue) => ({
    tone: 'accent',
    label: statusWords.running,
    detail: issue.stage === null ? '' : stageWords[issue.stage],
    time: { word: 'running', at: issue.started_at ?? issue.updated_at, kind: 'elapsed' },
  }),
  human_review: decision,
  awaiting_approval: decision,
  completed: ended('good'),
  rejected: ended('neutral'),
  failed: ended('bad'),
  cancelled: ended('neutral'),
};
