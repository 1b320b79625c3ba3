import type { Issue, Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { hasEnded } from '../format/has-ended.ts';
import { stageNames } from '../format/issue-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { serverQuery } from '../session/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Elapsed, RelativeTime } from '../ui/time.tsx';
import hidden from '../ui/visually-hidden.module.css';
import { IssueFacts } from './issue-facts.tsx';
import { IssueGist } from './issue-gist.tsx';
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
