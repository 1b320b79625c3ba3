import type { Caller } from '../access/caller.ts';
import type { RepoId } from '../id/id.ts';
import type { Gate } from '../pipeline/gate.ts';
import type { Triage } from '../pipeline/pipeline-state.ts';
import type { SummarizedIssue } from './issue-fields.ts';
import type { IssueStatus } from './issue-machine.ts';

/**
 * The kinds of help that an issue needs: a decision on a plan, an answer, a word before publishing, or help after a
 * failure.
 */
export const inboxWants = ['plan', 'question', 'publish', 'failure'] as const;
export type InboxWant = (typeof inboxWants)[number];

/**
 * Why an issue does not run: all slots are held, another issue holds its repository, the issues of its user hold as many
 * slots as those of one user may, or a monthly budget is used up.
 */
export const queueReasons = ['slot', 'repo', 'own_limit', 'budget'] as const;
export type QueueReason = (typeof queueReasons)[number];

/** A failure is news for as long; then it is one of the issues that are done. */
export const FAILURE_WANTED_MS = 14 * 86_400_000;

/** How many issues each list of an inbox shows at most. */
export const inboxBounds = {
  needsYou: 100,
  waitsForOthers: 100,
  running: 100,
  queued: 100,
  drafts: 25,
  done: 25,
} as const;

export interface InboxQuery {
  readonly caller: Caller;
  readonly repoId?: RepoId;
  /** Part of the title, ignoring case. */
  readonly q?: string;
}

/** An issue without its long texts, and the name of its repository. */
export interface InboxIssue {
  readonly issue: SummarizedIssue;
  readonly repoName: string;
}

/** How many issues that the reader sees wait because of one at its gate. A failed issue holds up none. */
interface HeldUp {
  /** For the repository that it occupies. */
  readonly repo: number;
  /** For a slot, while it keeps its own. */
  readonly slot: number;
}

export interface WantedIssue extends InboxIssue {
  readonly wants: InboxWant;
  /** When the gate was opened, or the issue failed. */
  readonly since: Date;
  readonly holdsUp: HeldUp;
}

interface QueuedIssue extends InboxIssue {
  readonly waitsFor: QueueReason;
}

export interface InboxList<T> {
  readonly items: readonly T[];
  /** Whether there are more than these. */
  readonly more: boolean;
}

/** The issues that a user may read, by what they mean for them; see `IssueStore.inbox`. */
export interface Inbox {
  readonly needsYou: InboxList<WantedIssue>;
  /** At a gate that the user may not decide. */
  readonly waitsForOthers: InboxList<WantedIssue>;
  readonly running: InboxList<InboxIssue>;
  readonly queued: InboxList<QueuedIssue>;
  readonly drafts: InboxList<InboxIssue>;
  readonly done: InboxList<InboxIssue>;
  readonly counts: Readonly<Record<IssueStatus, number>>;
}

/** The decision that a gate needs of its approver. A plan may rest on open questions; a question needs an answer. */
export function wantedAtGate(
  { kind }: Pick<Gate, 'kind'>,
  triage: Pick<Triage, 'kind' | 'open_questions'> | null,
): InboxWant {
  if (kind === 'publish') return 'publish';
  return triage !== null && (triage.kind === 'question' || triage.open_questions.length > 0) ? 'question' : 'plan';
}
