import type { Issue, IssueStatus, Stage } from '@sluice/client';
import { counted } from '../format/amounts.ts';
import { stageName, stageWords } from '../format/issue-words.ts';
import type { Tone } from '../ui/badge.tsx';

/** An attempt at a stage, as the server lists it. */
export interface Attempt {
  readonly stage: Stage;
  readonly round: number;
  readonly attempt: number;
  readonly outcome: 'running' | 'completed' | 'failed' | 'interrupted';
  readonly started_at: string;
  readonly detail: string | null;
}

export type SpokenIssue = Pick<
  Issue,
  | 'status'
  | 'stage'
  | 'gate'
  | 'plan'
  | 'triage'
  | 'result'
  | 'error'
  | 'queue_position'
  | 'queued_at'
  | 'started_at'
  | 'finished_at'
  | 'created_at'
  | 'waits_for_repo'
  | 'held_by_budget'
  | 'change_request_state'
>;

export interface IssueSentence {
  readonly text: string;
  readonly tone: Tone;
  /** Since when that is so; null where it does not matter. */
  readonly since: string | null;
}

/** The sentence for the moment before an issue waits for the decision. */
const TO_THE_GATE = 'Writing down the plan for your decision';

/** What an issue is doing, or what it waits for, in one sentence. @param last its last attempt at a stage, once it is known */
export function issueSentence(issue: SpokenIssue, last?: Attempt): IssueSentence {
  return sentences[issue.status](issue, last);
}

const sentences: Record<IssueStatus, (issue: SpokenIssue, last?: Attempt) => IssueSentence> = {
  pending: pendingSentence,
  running: runningSentence,
  human_review: ({ started_at }) => sentence(TO_THE_GATE, 'accent', started_at),
  awaiting_approval: (issue) =>
    sentence(`Waits for ${decider(issue)}: ${neededDecision(issue)}`, 'warn', issue.gate?.requested_at ?? null),
  completed: (issue) => sentence(done(issue), 'good', issue.finished_at),
  rejected: ({ stage, finished_at }) =>
    sentence(`Ended: ${stage === 'publish' ? 'the change' : 'the plan'} was rejected`, 'neutral', finished_at),
  failed: ({ error, stage, finished_at }) => {
    const where = stageName(error?.stage ?? stage);
    return sentence(where === null ? 'Failed' : `Failed in ${where}`, 'bad', finished_at);
  },
  cancelled: ({ error, finished_at }) =>
    sentence(error === null ? 'Cancelled' : `Cancelled: ${firstSentence(error.detail)}`, 'neutral', finished_at),
};

const budgets: Readonly<Record<NonNullable<Issue['held_by_budget']>, string>> = {
  user: 'of the person who created it',
  repo: 'of the repository',
  installation: 'of this server',
};

function pendingSentence(issue: SpokenIssue): IssueSentence {
  const { queued_at, queue_position, waits_for_repo, held_by_budget: held, created_at } = issue;
  if (held !== null)
    return sentence(`Waits for budget: that ${budgets[held]} is used up for this month`, 'warn', queued_at);
  if (waits_for_repo) return sentence('Waits for another issue on the same repository to end', 'neutral', created_at);
  if (queued_at === null) return sentence('Not started: run it when it is ready', 'neutral', null);
  if (queue_position === null) return sentence('Queued: it waits for a free slot', 'neutral', queued_at);
  const place = queue_position === 1 ? 'next to start' : ordinal(queue_position);
  return sentence(`Queued, ${place}: all slots are busy`, 'neutral', queued_at);
}

function activity(stage: Stage, { plan }: SpokenIssue): string {
  if (stage === 'human_review') return TO_THE_GATE;
  if (stage === 'plan' && plan !== null) return `Writing revision ${plan.revision + 1} of the plan`;
  const words = stageWords[stage];
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function runningSentence(issue: SpokenIssue, last?: Attempt): IssueSentence {
  if (issue.stage === null) return sentence('Starting', 'accent', issue.started_at);
  const doing = activity(issue.stage, issue);
  if (last === undefined || last.stage !== issue.stage) return sentence(doing, 'accent', null);
  const round = last.round > 1 && issue.stage !== 'plan' ? `, round ${last.round}` : '';
  const attempt = last.attempt > 1 ? `, attempt ${last.attempt}` : '';
  if (last.outcome === 'failed') {
    const why = firstSentence(last.detail ?? '');
    return sentence(
      `${doing}${round}: it failed and is tried again${why === '' ? '' : ` (${why})`}`,
      'warn',
      last.started_at,
    );
  }
  if (last.outcome === 'interrupted')
    return sentence(`${doing}${round}: it was interrupted and goes on`, 'accent', null);
  return sentence(`${doing}${round}${attempt}`, 'accent', last.outcome === 'running' ? last.started_at : null);
}

/** Who has to decide. The server says for the user of this page whether an approval of theirs counts. */
function decider({ gate }: SpokenIssue): string {
  const standing = gate?.your_approval ?? 'counts';
  if (standing === 'counts') return 'you';
  return standing === 'role_insufficient' ? 'an approver' : 'another person';
}

function neededDecision({ gate, stage, triage }: SpokenIssue): string {
  if (gate?.kind === 'publish' || (gate === null && stage === 'publish')) return 'decide whether to publish the change';
  if (gate !== null && gate.revision > 1) return `decide on revision ${gate.revision} of the plan`;
  const questions = triage?.open_questions.length ?? 0; // a later revision was made with what was answered
  return `${questions === 0 ? '' : `answer ${counted(questions, 'question')} and `}decide on the plan`;
}

function done({ result, change_request_state: state }: SpokenIssue): string {
  if (result !== null && result.answer !== null) return 'Completed: the question is answered';
  if (state !== null) return `Completed: the pull request is ${state === 'draft' ? 'a draft' : state}`;
  return result === null ? 'Completed' : 'Completed: the branch is pushed';
}

function sentence(text: string, tone: Tone, since: string | null): IssueSentence {
  return { text, tone, since };
}

const MAX_REASON_LENGTH = 160;

/** The first sentence of an error. The page shows all of it below. */
function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const end = line.search(/[.:!?](\s|$)/);
  const first = end === -1 ? line : line.slice(0, end);
  return first.length > MAX_REASON_LENGTH ? `${first.slice(0, MAX_REASON_LENGTH - 1)}…` : first;
}

function ordinal(n: number): string {
  const suffixes: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
  return `${n}${suffixes[plural.select(n)] ?? 'th'}`;
}

const plural = new Intl.PluralRules('en', { type: 'ordinal' });

const lost: Readonly<Partial<Record<IssueStatus, string>>> = {
  pending: 'It has not been worked on yet. Its text stays readable.',
  running:
    'The agent and its commands are stopped at once, and the work of this round is lost. The plan and the history stay readable.',
  human_review: 'The plan stays readable, and is not carried out.',
  awaiting_approval: 'What waits for your decision is dropped: nothing of it is carried out or published.',
};

/** What cancelling an issue costs. */
export function cancelWords({ status }: Pick<Issue, 'status'>): string {
  return `${lost[status] ?? 'It has ended.'} A cancelled issue cannot be retried.`;
}
