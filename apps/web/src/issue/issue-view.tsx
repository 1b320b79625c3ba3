import type { Issue } from '@sluice/client';
import { lazy, Suspense } from 'react';
import type { IssueSearch, IssueView as View } from '../session/search-params.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { useDownload } from './use-download.ts';

// Each view is heavy, and most visits need one of them.
const Timeline = lazy(async () => ({ default: (await import('../timeline/timeline.tsx')).Timeline }));
const DiffView = lazy(async () => ({ default: (await import('../diff/diff-view.tsx')).DiffView }));
const LogView = lazy(async () => ({ default: (await import('../log/log-view.tsx')).LogView }));

interface IssueViewProps {
  readonly issue: Issue;
  readonly view: View;
  readonly search: IssueSearch;
}

/** The view of an issue that is shown, loaded when it is. The plan is not among them: it is part of the page. */
export function IssueView({ issue, view, search: { event, file, q } }: IssueViewProps) {
  const download = useDownload(issue);
  return (
    <Suspense fallback={<Loading what={`the ${view}`} />}>
      {download.isError && <ErrorNotice error={download.error} />}
      {view === 'activity' && <Timeline issue={issue} event={event} />}
      {view === 'diff' && <DiffView issue={issue} file={file} q={q} />}
      {view === 'log' && (
        <LogView
          issue={issue}
          event={event}
          q={q}
          download={{ isBusy: download.isPending, onStart: () => download.mutate('log') }}
        />
      )}
    </Suspense>
  );
}
