import type { Issue, IssueStatus } from '@sluice/core/issue';
import type { ReviewRemark } from '@sluice/core/pipeline';
import { NOTHING_TO_DO, remarksOf } from '@sluice/core/pipeline';
import type { RemarkReply } from './render-remark-answer.ts';

type Answered = Pick<Issue, 'status' | 'pipeline' | 'result' | 'error'>;
type Reply = Omit<RemarkReply, 'remark'>;

/** By the status in which a follow-up is; null while it has not ended. */
const replyTo: Readonly<Record<IssueStatus, ((issue: Answered, remark: ReviewRemark) => Reply) | null>> = {
  pending: null,
  running: null,
  human_review: null,
  awaiting_approval: null,
  completed: (issue, remark) =>
    replyOfAgent(issue, remark, issue.result?.branch == null ? null : issue.result.head_commit),
  rejected: () => declined('A person rejected the plan for it.'),
  cancelled: () => declined('The work on it was cancelled.'),
  failed: ({ error }) => {
    const why = error?.detail ?? '';
    return why.startsWith(NOTHING_TO_DO) ? declined(why) : { end: 'failed', commit: null, says: why };
  },
};

/**
 * The answers to the remarks that a follow-up is about: one for each, in their order. None until the follow-up has ended. A
 * retry that succeeds leads to other answers.
 */
export function remarkReplies(issue: Answered): readonly RemarkReply[] {
  const reply = replyTo[issue.status];
  if (reply === null) return [];
  return remarksOf(issue.pipeline.follow_up).map((remark) => ({ remark, ...reply(issue, remark) }));
}

/** The last agent's reply to a remark, once its change is pushed. @param commit null where there is none */
export function replyOfAgent(
  { pipeline }: Pick<Issue, 'pipeline'>,
  { id }: ReviewRemark,
  commit: string | null,
): Reply {
  const given = pipeline.remark_answers.find((answer) => answer.id === id);
  if (given === undefined) return { end: 'question', commit: null, says: NOT_ADDRESSED };
  return { end: given.outcome, commit: given.outcome === 'done' ? commit : null, says: given.answer };
}

const NOT_ADDRESSED =
  'The agent said nothing about this remark, so it may not be addressed. Write it again where it still holds.';

function declined(says: string): Reply {
  return { end: 'declined', commit: null, says };
}
