import type { Issue } from '@sluice/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { hasEnded } from '../format/has-ended.ts';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Notice } from '../ui/notice.tsx';
import { fileName, saveFile } from '../ui/save-file.ts';
import { changedFiles, type IssueDiff } from './changed-files.ts';
import { type DiffPlace, DiffReader } from './diff-reader.tsx';
import styles from './diff-view.module.css';
import { Findings, ReviewRemarks } from './review-evidence.tsx';
import { TestEvidence } from './test-evidence.tsx';

interface DiffViewProps {
  readonly issue: Issue;
  /** A path to scroll to. */
  readonly file?: string | undefined;
  /** What the diff is searched for. */
  readonly q?: string | undefined;
}

/** Under the key of its issue, so that what refreshes the issue refreshes it too. */
function diffQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.issue(id), 'diff'],
    queryFn: ({ signal }) => client.issues.diff.query({ id }, { signal }),
  });
}

/** The change of an issue: what its tests, the service and the reviewer found, and its lines. */
export function DiffView({ issue, file, q }: DiffViewProps) {
  const { data, error, refetch } = useQuery(diffQuery(issue.id));
  if (data !== undefined) return <Change issue={issue} latest={data} file={file} q={q} />;
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return <Loading what="the change" />;
}

function Change({ issue, latest, file, q }: DiffViewProps & { readonly latest: IssueDiff }) {
  const [read, setRead] = useState(latest);
  // Lines that somebody reads are not exchanged under their eyes; what was found out about them is refreshed.
  const isNewer = read.files.length > 0 && latest.diff !== read.diff;
  const diff = isNewer ? read : latest;
  const files = useMemo(() => changedFiles({ files: diff.files, diff: diff.diff }), [diff.files, diff.diff]);
  const [edition, setEdition] = useState(0);
  const [place, setPlace] = useState<DiffPlace | null>(null);
  useEffect(() => {
    if (file !== undefined) setPlace({ path: file, line: null });
  }, [file]);
  const heading = useRef<HTMLHeadingElement>(null);
  const showNewest = () => {
    setRead(latest);
    setEdition(edition + 1);
    heading.current?.focus(); // the button goes
  };
  if (diff !== read) setRead(diff);
  const evidence = diff.evidence ?? published(issue, diff);
  if (files.length === 0)
    return <EmptyState title={hasEnded(issue.status) ? 'No change' : 'No change yet'}>{emptyWords(issue)}</EmptyState>;
  return (
    <div className={styles.view}>
      {evidence !== null && (
        <div className={styles.evidence}>
          <TestEvidence tests={evidence.tests} />
          <div className={styles.judgements}>
            <Findings findings={evidence.findings} onOpen={setPlace} />
            <ReviewRemarks review={evidence.review} />
          </div>
        </div>
      )}
      {isNewer && (
        <Notice tone="info" action={<Button onClick={showNewest}>Show the newest</Button>}>
          The agent has changed more since you opened this.
        </Notice>
      )}
      <div>
        <h2 ref={heading} tabIndex={-1} className={styles.title}>
          Changed files
        </h2>
        <DiffReader
          key={edition}
          issueId={issue.id}
          files={files}
          place={place}
          q={q ?? ''}
          onDownload={() => saveFile(fileName(issue.id, 'patch'), [diff.diff])}
        />
      </div>
    </div>
  );
}

function emptyWords({ status, result }: Issue): string {
  if (result !== null && result.answer !== null)
    return 'The issue was a question. It was answered, and nothing was changed.';
  if (hasEnded(status)) return 'The issue ended before anything was changed.';
  return 'The lines appear here while the agent works on them, after a plan was approved.';
}

/**
 * The evidence in the result, where the server does not send it with the diff: an earlier release worked on the issue.
 */
function published({ result }: Issue, diff: IssueDiff): IssueDiff['evidence'] {
  if (result === null || result.answer !== null || result.head_commit !== diff.head_commit) return null;
  return { tests: result.tests, findings: result.findings, review: null };
}
