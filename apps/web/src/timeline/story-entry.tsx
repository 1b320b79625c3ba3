import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useContext } from 'react';
import { IssueLink } from '../events/issue-link.tsx';
import { counted } from '../format/amounts.ts';
import { buildNotes, buildWords } from '../format/build-words.ts';
import { closeWords } from '../format/close-words.ts';
import { decisionWords, gateWords } from '../format/decision-words.ts';
import { verdictWords } from '../format/issue-words.ts';
import { formatExact } from '../format/relative-time.ts';
import { remarkWords } from '../format/remark-words.ts';
import { shortCommit } from '../format/short-commit.ts';
import { visibleText } from '../format/visible-text.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { profileQuery } from '../session/queries.ts';
import { LineCounts } from '../ui/line-counts.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';
import styles from './entry.module.css';
import { Mark, type MarkKind } from './mark.tsx';
import { RowActionsContext } from './row-actions.ts';
import { RowFrame } from './row-frame.tsx';
import type { Entry } from './timeline-item.ts';

export type StoryKind = Exclude<Entry['kind'], 'message' | 'tool' | 'command' | 'files'>;
type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

interface Story {
  readonly mark: MarkKind;
  readonly title: ReactNode;
  readonly more?: ReactNode;
}

/** What happened between people and agents: notes, plans, decisions, results. */
export function StoryEntry({ entry, since }: { readonly entry: Of<StoryKind>; readonly since?: string | undefined }) {
  const { issueId } = useContext(RowActionsContext);
  const { data: profile } = useQuery(profileQuery);
  const { mark, title, more } = tell(entry, { issueId, userId: profile?.id });
  const { seq, at } = entry;
  return (
    <RowFrame
      seq={seq}
      at={at}
      since={since}
      mark={<Mark kind={mark} label="" />}
      line={<span className={styles.strong}>{title}</span>}
    >
      {more}
    </RowFrame>
  );
}

interface Reader {
  readonly issueId: string;
  readonly userId: string | undefined;
}

function tell(entry: Of<StoryKind>, reader: Reader): Story {
  switch (entry.kind) {
    case 'created':
      return {
        mark: 'person',
        title: entry.origin === 'api' ? 'Created' : `Created (${entry.origin.replaceAll('_', ' ')})`,
      };
    case 'note':
      return tellNote(entry);
    case 'plan':
      return {
        mark: 'plain',
        title: (
          <>
            {entry.plan.revision === 1 ? 'Plan' : `Plan, revision ${entry.plan.revision}`}
            {' · '}
            {counted(entry.plan.steps.length, 'step')}{' '}
            <IssueLink issueId={reader.issueId} to={{ view: 'plan' }}>
              Read the plan
            </IssueLink>
          </>
        ),
        more: <Quoted text={entry.plan.summary} />,
      };
    case 'gate':
      return { mark: 'person', title: `A decision was asked for, on ${gateWords(entry)}` };
    case 'reminder':
      return {
        mark: 'pause',
        title: `Still waiting for a decision${entry.gate === 'publish' ? ' on the publication' : ''}`,
        more: entry.expiresAt !== null && (
          <p>Without one, the issue is cancelled at {formatExact(new Date(entry.expiresAt))}.</p>
        ),
      };
    case 'decision':
      return tellDecision(entry, reader);
    case 'approval':
      return tellApproval(entry, reader);
    case 'approvals_dropped':
      return {
        mark: 'stopped',
        title:
          entry.dropped.reason === 'base_moved'
            ? 'Approvals were dropped: the base has moved under the plan'
            : 'An approval no longer counts: the person may no longer approve here',
      };
    case 'result':
      return tellResult(entry, reader);
    case 'change_request':
      return {
        mark: entry.change.state === 'merged' ? 'good' : 'plain',
        title: (
          <>
            <OutsideLink href={entry.change.url}>Pull request #{entry.change.number}</OutsideLink> is{' '}
            {entry.change.state === 'draft' ? 'a draft' : entry.change.state}
          </>
        ),
      };
    case 'build':
      return tellBuild(entry);
    case 'remark':
      return {
        mark: entry.answered.outcome === 'done' ? 'good' : entry.answered.outcome === 'failed' ? 'bad' : 'plain',
        title: (
          <>
            <OutsideLink href={entry.answered.url}>A remark</OutsideLink> was answered:{' '}
            {remarkWords[entry.answered.outcome]}
          </>
        ),
      };
    case 'review_waits':
      return {
        mark: 'person',
        title: (
          <>
            <OutsideLink href={entry.waiting.url}>Another review</OutsideLink>{' '}
            {entry.waiting.by_bot
              ? 'of a bot is not carried out: bots have led to as many follow-ups as they may'
              : 'waits until you run its follow-up: reviews have led to as many as they may by themselves'}
          </>
        ),
      };
    case 'base':
      return {
        mark: 'plain',
        title: (
          <>
            The base branch <bdi className={styles.code}>{visibleText(entry.moved.base_branch)}</bdi> has moved
            {entry.moved.conflicts.length > 0 && `, with conflicts in ${counted(entry.moved.conflicts.length, 'file')}`}
          </>
        ),
        more: entry.moved.files.length > 0 && (
          <p className={styles.soft}>{entry.moved.files.map(visibleText).join(', ')}</p>
        ),
      };
    case 'close':
      return entry.answer === null
        ? { mark: 'person', title: `Why was pull request #${entry.number} closed?` }
        : {
            mark: 'person',
            title: `Pull request #${entry.number} was closed: ${closeWords[entry.answer.reason].toLowerCase()}`,
            more: entry.answer.note !== null && <Quoted text={entry.answer.note} />,
          };
    case 'status':
      return {
        mark: ENDINGS[entry.to] ?? 'plain',
        title: `The issue ${entry.to === 'completed' ? 'is completed' : entry.to === 'failed' ? 'failed' : `was ${entry.to}`}`,
        more: entry.detail !== null && <Quoted text={entry.detail} />,
      };
  }
}

const ENDINGS: Readonly<Record<string, MarkKind>> = {
  completed: 'good',
  failed: 'bad',
  cancelled: 'stopped',
  rejected: 'stopped',
};

function tellBuild({ build }: Of<'build'>): Story {
  const marks = { pending: 'running', success: 'good', failure: 'bad', cancelled: 'stopped' } as const;
  const notes = buildNotes(build);
  return {
    mark: marks[build.verdict],
    title: (
      <>
        <OutsideLink href={build.url}>The build</OutsideLink> of{' '}
        <bdi className={styles.code}>{shortCommit(build.commit)}</bdi> {buildWords[build.verdict].words}
        {build.failed.length > 0 && `: ${build.failed.map(visibleText).join(', ')}`}
      </>
    ),
    more: notes.length > 0 && <p className={styles.soft}>{notes.map(visibleText).join(' ')}</p>,
  };
}

function tellNote({ text, read }: Of<'note'>): Story {
  return {
    mark: 'person',
    title: (
      <>
        Note to the agent{' '}
        <span className={styles.soft}>
          {read === null ? 'not read yet' : `read by ${visibleText(read.agent)} at turn ${read.turn}`}
        </span>
      </>
    ),
    more: <Quoted text={text} />,
  };
}

function tellDecision({ on, decision }: Of<'decision'>, { userId }: Reader): Story {
  const { action, revision, guidance, user_id, blind, inherited_from } = decision;
  return {
    mark: action === 'approve' ? 'good' : action === 'reject' ? 'stopped' : 'person',
    title: (
      <>
        {decisionWords({ action, on, revision, userId: user_id }, userId)}
        {blind === true && <span className={styles.soft}>, without naming what was seen</span>}
        {inherited_from !== undefined && (
          <span className={styles.soft}>
            , by the approval of the first issue&apos;s plan, whose files it stays within
          </span>
        )}
      </>
    ),
    more: (
      <>
        <DecidedOn {...decision} />
        {guidance !== null && <Quoted text={guidance} />}
      </>
    ),
  };
}

/** An approval that was not the last one. */
function tellApproval({ on, approval }: Of<'approval'>, { userId }: Reader): Story {
  const { revision, user_id, blind, approvals, approvals_needed } = approval;
  return {
    mark: 'good',
    title: (
      <>
        {decisionWords({ action: 'approve', on, revision, userId: user_id }, userId)}: {approvals} of {approvals_needed}{' '}
        approvals
        {blind === true && <span className={styles.soft}>, without naming what was seen</span>}
      </>
    ),
    more: <DecidedOn {...approval} />,
  };
}

type About = Pick<Of<'approval'>['approval'], 'plan_hash' | 'base_commit' | 'head_commit' | 'client'>;

/** The subject of a decision, and from where it came. Decisions of earlier releases do not say. */
function DecidedOn({ plan_hash: hash, base_commit: base, head_commit: head, client }: About) {
  const facts = [
    ...(hash == null ? [] : [`plan ${shortCommit(hash)}`]),
    ...(head == null ? [] : [`commit ${shortCommit(head)}`]),
    ...(base == null ? [] : [`base ${shortCommit(base)}`]),
    ...(client == null ? [] : [`with ${visibleText(client)}`]),
  ];
  return facts.length === 0 ? null : <p className={styles.soft}>{facts.join(' · ')}</p>;
}

function tellResult({ result }: Of<'result'>, { issueId }: Reader): Story {
  if (result.answer !== null) return { mark: 'good', title: 'Answered', more: <LazyMarkdown text={result.answer} /> };
  const { branch, change_request_url, files_changed, additions, deletions, tests, summary } = result;
  return {
    mark: 'good',
    title: (
      <>
        Published <bdi className={styles.code}>{visibleText(branch ?? '')}</bdi>
      </>
    ),
    more: (
      <>
        <p className={styles.soft}>
          {counted(files_changed, 'file')}, <LineCounts additions={additions} deletions={deletions} />
          {' · '}
          {tests === null ? 'not tested' : verdictWords[tests.verdict]}
          {' · '}
          <IssueLink issueId={issueId} to={{ view: 'diff' }}>
            See the diff
          </IssueLink>
          {change_request_url !== null && (
            <>
              {' · '}
              <OutsideLink href={change_request_url}>Pull request</OutsideLink>
            </>
          )}
        </p>
        <Quoted text={summary} />
      </>
    ),
  };
}

function Quoted({ text }: { readonly text: string }) {
  return (
    <div className={styles.quote} dir="auto">
      <LazyMarkdown text={text} />
    </div>
  );
}
