import type { Issue } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { useFollowedFeed } from '../events/use-issue-feed.ts';
import { counted } from '../format/amounts.ts';
import { verdictWords } from '../format/issue-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { createLatestActivity } from '../timeline/latest-activity.ts';
import { Badge } from '../ui/badge.tsx';
import { LineCounts } from '../ui/line-counts.tsx';
import { RelativeTime } from '../ui/time.tsx';
import styles from './issue-header.module.css';

/** One line about the work itself: the last thing that its agent did, the plan to decide on, or what came of it. */
export function IssueGist({ issue }: { readonly issue: Issue }) {
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
