import type { RemarkEnd, ReviewRemark } from '@sluice/core/pipeline';
import { neutralCode, neutralProse, withoutSecrets } from '@sluice/core/text';
import { SHORT_COMMIT } from './render-outcome.ts';

/** The one answer that a remark gets. */
export interface RemarkReply {
  readonly remark: ReviewRemark;
  readonly end: RemarkEnd;
  /** The commit that was pushed; null where nothing was. */
  readonly commit: string | null;
  /** The answer to the author, by the service or an agent. */
  readonly says: string;
}

const MAX_ANSWER_LENGTH = 2_000; // some sentences: a thread is read between the lines of a change
const MAX_NAME_LENGTH = 100;

const LINKABLE = /^https?:\/\/[!-'*-;=?-~]+$/; // ASCII without what ends a link

/** An answer as Markdown on one line, without any effect at the code host. The host links the commit by itself. */
export function renderRemarkReply({ end, commit, says }: Pick<RemarkReply, 'end' | 'commit' | 'says'>): string {
  const begins = {
    done: commit === null ? 'Answered' : `Done in ${commit.slice(0, SHORT_COMMIT)}`,
    declined: 'Declined',
    question: 'Not done yet',
    failed: 'Failed',
  } satisfies Record<RemarkEnd, string>;
  const words = neutralProse(withoutSecrets(says), MAX_ANSWER_LENGTH);
  return words === '' ? `${begins[end]}.` : `${begins[end]}: ${words}`;
}

/** The same outside of the remark's own thread, where it must be said which remark it answers. */
export function renderRemarkReplyElsewhere(reply: RemarkReply): string {
  const { remark } = reply;
  const what = remark.thread === null ? 'a comment' : 'a comment on a line';
  const linked = LINKABLE.test(remark.url) ? `[${what}](${remark.url})` : what;
  const at = remark.path === null ? '' : ` (${neutralCode(remark.path, MAX_NAME_LENGTH)})`;
  return `To ${linked} by ${neutralCode(remark.author, MAX_NAME_LENGTH)}${at}: ${renderRemarkReply(reply)}`;
}
