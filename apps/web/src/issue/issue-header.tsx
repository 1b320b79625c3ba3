import type { Issue, Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { useFollowedFeed } from '../events/use-issue-feed.ts';
import { counted } from '../format/amounts.ts';
import { hasEnded } from '../format/has-ended.ts';
import { stageNames, verdictWords } from '../format/issue-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { serverQuery } from '../session/queries.ts';
import { createLatestActivity } from '../timeline/latest-activity.ts';
import { Badge } from '../ui/badge.tsx';
import { LineCounts } from '../ui/line-counts.tsx';
import { Elapsed, RelativeTime } from '../ui/time.tsx';
import hidden from '../ui/visually-hidden.module.css';
import { IssueFacts } from './issue-facts.tsx';
import styles from './issue-header.module.css';
import { type Attempt, issueSentence } from './issue-sentence.ts';
import { stageMarks, stageStates, stateWords } from './stage-states.ts';

interface IssueHeaderProps {
  readonly issue: Issue;
  readonly repo: Repo | undefined;
  readonly last: Attempt | undefined;
  /** The next thing that a person can do. */
  readonly next?: ReactNode;
  /** The text of the issue, which is folded. */
  readonly children?: ReactNode;
}

/** What an issue is doing, what it waits for, how long, and what it has cost: to be read within five seconds. */
export function IssueHeader({ issue, repo, last, next, children }: IssueHeaderProps) {
  const { text, tone, since } = issueSentence(issue, last);
  return (
    <section className={styles.header} aria-label="State">
      <div className={styles.now} data-tone={tone}>
        <p className={styles.sentence} dir="auto">
          {visibleText(text)}
        </p>
        {since !== null && (
          <span className={styles.since}>
            {hasEnded(issue.status) ? (
              <RelativeTime at={since} />
            ) : (
              <>
                for <Elapsed since={since} />
              </>
            )}
          </span>
        )}
        <Warnings issue={issue} />
        {next !== undefined && <div className={styles.next}>{next}</div>}
      </div>
      <IssueGist issue={issue} />
      <StageStrip issue={issue} />
      <IssueFacts issue={issue} repo={repo} />
      {children}
    </section>
  );
}

/** The missing safeguards of an issue that is under way or done: a model, a sandbox. */
function Warnings({ issue: { finished_at: finished, usage, result } }: { readonly issue: Issue }) {
  const { data } = useQuery(serverQuery);
  const details = data?.details ?? null;
  if (details === null) return null;
  const withoutTokens = usage.input_tokens + usage.output_tokens === 0;
  const isBuiltin = withoutTokens && (finished === null ? details.models.implement.builtin : result !== null);
  return (
    <>
      {isBuiltin && (
        <Badge tone="warn" title="No model works on this issue. Only edits that it spells out are made.">
          built-in (no model)
        </Badge>
      )}
      {details.sandbox === 'none' && finished === null && (
        <Badge tone="bad" title="The commands of this repository run without a sandbox, with the rights of the server.">
          sandbox off
        </Badge>
      )}
    </>
  );
}

/** The nine stages of an issue in a row: which are done, and where it is. */
function StageStrip({ issue }: { readonly issue: Pick<Issue, 'status' | 'stage' | 'error'> }) {
  return (
    <ol className={styles.strip} aria-label="Stages">
      {stageStates(issue).map(({ stage, state }) => {
        const isHere = state === 'current' || state === 'waiting' || state === 'stopped';
        return (
          <li key={stage} className={styles.stage} data-state={state} aria-current={isHere ? 'step' : undefined}>
            <span className={styles.mark} aria-hidden="true">
              {stageMarks[state]}
            </span>
            <span className={styles.stageName}>{stageNames[stage]}</span>
            <span className={hidden.hidden}>: {stateWords[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** One line about the work itself: the last thing that its agent did, the plan to decide on, or what came of it. */
function IssueGist({ issue }: { readonly issue: Issue }) {
  const { id, status, gate, plan, result } = issue;
  if (status === 'running') return <Activity issue={issue} />;
  if (gate?.kind === 'plan' && plan !== null) {
    const files = new Set(plan.steps.flatMap((step) => step.files)).size;
    return (
      <Line>
        {counted(plan.steps.length, 'step')} in {counted(files, 'file')}:
        <bdi>{visibleText(plan.summary.trim().split('\n', 1)[0] ?? '')}</bdi>
      </Line>
    );
  }
  if (result === null || result.branch === null) return null;
  return (
    <Line>
      {result.tests === null ? 'not tested' : verdictWords[result.tests.verdict]},{' '}
      {counted(result.files_changed, 'file')}
      <LineCounts additions={result.additions} deletions={result.deletions} />
      {result.findings.length > 0 && <Badge tone="warn">{counted(result.findings.length, 'finding')}</Badge>}
      <Link to="/issues/$id" params={{ id }} search={{ view: 'diff' }} resetScroll={false}>
        Read the diff
      </Link>
    </Line>
  );
}

function Activity({ issue }: { readonly issue: Issue }) {
  const feed = useFollowedFeed(issue);
  const [latestActivity] = useState(createLatestActivity);
  const latest = useSyncExternalStore(feed.subscribe, () => latestActivity(feed.state()));
  return (
    <Line>
      {latest !== null && (
        <>
          <RelativeTime at={latest.at} /> <bdi>{visibleText(latest.text)}</bdi>
        </>
      )}
    </Line>
  );
}

/** It has its place before there is anything to say: what is below does not move. */
function Line({ children }: { readonly children: ReactNode }) {
  return <p className={styles.gist}>{children}</p>;
}
