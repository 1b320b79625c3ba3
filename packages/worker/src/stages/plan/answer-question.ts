import type { Issue } from '@sluice/core/issue';
import { type RemarkAnswer, remarksOf, type Triage } from '@sluice/core/pipeline';
import { storableText } from '@sluice/core/text';
import { renderAnswerComment } from '../../publication/render-change-request.ts';
import type { StageContext } from '../../stage/stage-context.ts';
import type { StageEnd } from '../../stage/stage-end.ts';
import { followRepo, type RepoPorts } from '../../workspace/follow-repo.ts';
import { answeredResult } from '../answered-result.ts';
import { putComment } from '../put-comment.ts';

type Ports = 'issues' | 'publicUrl' | RepoPorts;

interface Answered {
  readonly answer: string;
  readonly summary: string;
  readonly triage: Triage | null;
  /** The answers to the remarks that a follow-up is about; empty where there are none. */
  readonly remarkAnswers: readonly RemarkAnswer[];
  /** For `stage.completed`. */
  readonly madeBy: string;
}

/**
 * Completes a question with its answer: no gate, no change and no branch. It is also a comment where the issue came from,
 * unless each remark that it is about gets an answer of its own.
 */
export async function answerQuestion(stage: StageContext<Ports>, answered: Answered): Promise<StageEnd> {
  const issue = stage.execution.issue();
  const answer = storableText(answered.answer);
  const result = answeredResult(issue, { answer, summary: storableText(answered.summary) });
  const remarkAnswers = answersOf(issue, answered);
  return {
    trigger: 'published',
    next: 'plan',
    pipeline: { triage: answered.triage, remark_answers: remarkAnswers },
    detail: `answered by ${answered.madeBy}`,
    notes: isEachAnswered(issue, remarkAnswers) ? [] : await comment(stage, issue, answer),
    result,
    events: [{ type: 'result.published', data: { result } }],
  };
}

/** The answers to the remarks. A single remark is answered by the answer to the question. */
function answersOf({ pipeline }: Issue, { answer, remarkAnswers }: Answered): readonly RemarkAnswer[] {
  const [only, ...more] = remarksOf(pipeline.follow_up);
  if (only === undefined || more.length > 0 || remarkAnswers.length > 0) return remarkAnswers;
  return [{ id: only.id, outcome: 'done', answer: storableText(answer) }];
}

function isEachAnswered({ pipeline }: Issue, answers: readonly RemarkAnswer[]): boolean {
  const remarks = remarksOf(pipeline.follow_up);
  return remarks.length > 0 && remarks.every(({ id }) => answers.some((answer) => answer.id === id));
}

/** Comments on the imported issue, or for a follow-up on its pull request. */
async function comment(stage: StageContext<Ports>, issue: Issue, answer: string): Promise<readonly string[]> {
  const { deps, repo } = stage;
  if (repo.provider !== 'codehost' || deps.codehost === null) return [];
  const parent = issue.parentIssueId === null ? null : await deps.issues.get(issue.parentIssueId);
  const number = parent?.changeRequest?.number ?? issue.codehostNumber;
  if (number === null) return [];
  await followRepo(stage);
  const body = renderAnswerComment({ issue, publicUrl: deps.publicUrl }, answer);
  return (await putComment(stage, number, { body })).notes;
}
