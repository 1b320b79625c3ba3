import { isSluiceError } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ConfigurationSection } from '../admin/configuration-section.tsx';
import { HintList } from '../admin/hint-list.tsx';
import { InvitationsSection } from '../admin/invitations-section.tsx';
import { NotOperator } from '../admin/not-operator.tsx';
import { operatorHints } from '../admin/operator-hints.ts';
import { type Overview, overviewQuery } from '../admin/overview-query.ts';
import { QueueSection } from '../admin/queue-section.tsx';
import { ReadinessSection } from '../admin/readiness-section.tsx';
import { ReposSection } from '../admin/repos-section.tsx';
import { UsersSection } from '../admin/users-section.tsx';
import { WorkersSection } from '../admin/workers-section.tsx';
import { OperatorBudgetsSection } from '../budgets/budget-sections.tsx';
import { shortCommit } from '../format/short-commit.ts';
import { visibleText } from '../format/visible-text.ts';
import { profileQuery, serverQuery } from '../session/queries.ts';
import { buttonClass } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';

export function AdminPage() {
  const profile = useQuery(profileQuery);
  const { data: overview, error, refetch } = useQuery(overviewQuery);
  if (isSluiceError(error, 'operator_required'))
    return (
      <Page title="Administration">
        <NotOperator email={profile.data?.email ?? null} />
      </Page>
    );
  return (
    <Page
      title="Administration"
      actions={
        overview !== undefined && (
          <>
            <Version overview={overview} />
            <Link to="/admin/audit" className={buttonClass()}>
              Audit log
            </Link>
          </>
        )
      }
    >
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {overview === undefined && error === null && <Loading what="the state of the server" />}
      {overview !== undefined && <AdminSections overview={overview} userId={profile.data?.id} />}
    </Page>
  );
}

function AdminSections({ overview, userId }: { readonly overview: Overview; readonly userId: string | undefined }) {
  const { data } = useQuery(serverQuery);
  const details = data?.details ?? null;
  const traits = details === null ? null : { sandbox: details.sandbox, isBuiltin: details.models.implement.builtin };
  return (
    <>
      {traits !== null && <HintList hints={operatorHints(overview, traits)} />}
      <QueueSection overview={overview} userId={userId} />
      <OperatorBudgetsSection />
      <UsersSection userId={userId} />
      <InvitationsSection isOff={details?.invitations === 'off'} />
      <ReposSection />
      <WorkersSection workers={overview.workers} slots={overview.slots} />
      <ReadinessSection readiness={overview.readiness} />
      <ConfigurationSection configuration={overview.configuration} />
    </>
  );
}

function Version({ overview: { version, commit } }: { readonly overview: Overview }) {
  return (
    <span>
      version {visibleText(version)}
      {commit !== null && (
        <>
          , commit <code title={visibleText(commit)}>{visibleText(shortCommit(commit))}</code>
        </>
      )}
    </span>
  );
}
