import type { Issue } from '@sluice/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { heldWords } from '../budgets/budget-words.ts';
import { useMilestones } from '../events/use-milestones.ts';
import { visibleText } from '../format/visible-text.ts';
import { useDecision } from '../gate/use-decision.ts';
import { chosenView } from '../issue/chosen-view.ts';
import { CloseQuestion } from '../issue/close-question.tsx';
import { Composer } from '../issue/composer.tsx';
import { GateSection } from '../issue/gate-section.tsx';
import { inboxSnapshot } from '../issue/inbox-snapshot.ts';
import { IssueActions } from '../issue/issue-actions.tsx';
import { IssueFailure } from '../issue/issue-failure.tsx';
import { IssueHeader } from '../issue/issue-header.tsx';
import { IssueResult } from '../issue/issue-result.tsx';
import { IssueText } from '../issue/issue-text.tsx';
import { useDownload } from '../issue/use-download.ts';
import { ViewLinks } from '../issue/view-links.tsx';
import { useRights } from '../members/use-rights.ts';
import { attemptsQuery, issueQuery } from '../session/issue-queries.ts';
import { profileQuery, repoQuery } from '../session/queries.ts';
import type { IssueSearch, IssueView as View } from '../session/search-params.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { ResourceFault } from '../ui/resource-fault.tsx';

/** The page of an issue. Another issue is another page: nothing that was typed or opened goes over. */
export function IssuePage() {
  const { id } = useParams({ from: '/session/issues/$id' });
  return <OneIssue key={id} id={id} />;
}

function OneIssue({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const query = useQuery({ ...issueQuery(id), placeholderData: () => inboxSnapshot(queries, id) });
  const { data: issue, isPlaceholderData, error } = query;
  if (issue === undefined && error !== null)
    return (
      <ResourceFault
        error={error}
        onRetry={() => void query.refetch()}
        name="issue"
        theirs="Ask an admin of its repository to add you as a member."
        back={<Link to="/issues">Go to the inbox</Link>}
      />
    );
  // One heading from the first moment on: a navigation puts the focus on it.
  return (
    <Page
      title={issue === undefined ? 'Issue' : visibleText(issue.title)}
      actions={issue === undefined ? undefined : <IssueActions issue={issue} />}
      wide
    >
      {issue === undefined ? <Loading what="the issue" /> : <ShownIssue issue={issue} isWhole={!isPlaceholderData} />}
    </Page>
  );
}

interface ShownIssueProps {
  readonly issue: Issue;
  /** False while only what the inbox knew is there. */
  readonly isWhole: boolean;
}

function ShownIssue({ issue, isWhole }: ShownIssueProps) {
  const { id, status, gate, result, held_by_budget: held } = issue;
  const search = useSearch({ from: '/session/issues/$id' });
  const attempts = useQuery(attemptsQuery(id)).data ?? [];
  const repo = useQuery(repoQuery(issue.repo_id)).data;
  const may = useRights(issue);
  const { decisions, notes } = useMilestones(issue);
  const deciding = useDecision();
  const view = useView(issue, { isWhole, requested: search.view });
  const gateView = gate?.kind === 'publish' ? 'diff' : 'plan';
  const noteField = useRef<HTMLTextAreaElement>(null);
  const next =
    status === 'running' && isWhole && may('note') ? (
      <Button aria-keyshortcuts="m" onClick={() => noteField.current?.focus()}>
        Write to the agent
      </Button>
    ) : gate !== null && view !== gateView ? (
      <Link
        to="/issues/$id"
        params={{ id }}
        search={{ view: gateView }}
        className={buttonClass('primary')}
        resetScroll={false}
      >
        {`Read the ${gateView === 'plan' ? 'plan' : 'change'}${may('decide') ? ' and decide' : ''}`}
      </Link>
    ) : undefined;
  return (
    <>
      <IssueHeader issue={issue} repo={repo} last={attempts.at(-1)} next={next}>
        {isWhole && <IssueText issue={issue} />}
      </IssueHeader>
      {isWhole ? (
        <>
          {status === 'failed' && <IssueFailure issue={issue} />}
          {held !== null && <HeldNotice issue={{ ...issue, held_by_budget: held }} />}
          {result !== null && (view === 'diff' || result.answer !== null) && (
            <IssueResult issue={issue} result={result} repo={repo} />
          )}
          {issue.change_request_state === 'closed' && may('manage') && <CloseQuestion id={id} />}
          <ViewLinks id={id} shown={view} />
          <GateSection {...{ issue, repo, view, deciding, decisions }}>
            {view !== 'plan' && <IssueView issue={issue} view={view} search={search} />}
          </GateSection>
          {may('note') && <Composer issue={issue} notes={notes} field={noteField} />}
        </>
      ) : (
        <Loading what="the issue" />
      )}
    </>
  );
}

/** The view that the address names. Without one the page chooses once: what one reads is not replaced by what happens. */
function useView(issue: Issue, { isWhole, requested }: { isWhole: boolean; requested: View | undefined }): View {
  const [chosen, setChosen] = useState<View | null>(null);
  if (isWhole && chosen === null) setChosen(chosenView(issue));
  return requested ?? chosen ?? 'activity';
}

type HeldIssue = Issue & { readonly held_by_budget: NonNullable<Issue['held_by_budget']> };

/** Which monthly budget an issue waits for, and who can raise it: a link for those who can. */
function HeldNotice({ issue: { held_by_budget: budget, repo_id: id } }: { readonly issue: HeldIssue }) {
  const role = useQuery(repoQuery(id)).data?.role;
  const isOperator = useQuery(profileQuery).data?.operator === true;
  const raise =
    budget === 'repo' && role === 'admin' ? (
      <Link to="/repos/$id" params={{ id }} hash="budget" className={buttonClass('primary')}>
        Raise the budget
      </Link>
    ) : budget !== 'repo' && isOperator ? (
      <Link to="/admin" hash="budgets" className={buttonClass('primary')}>
        Raise the budget
      </Link>
    ) : undefined;
  return (
    <Notice tone="warn" action={raise}>
      {heldWords(budget)}
    </Notice>
  );
}

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
function IssueView({ issue, view, search: { event, file, q } }: IssueViewProps) {
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
