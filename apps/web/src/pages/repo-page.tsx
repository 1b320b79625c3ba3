import type { Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { RepoBudgetSection } from '../budgets/budget-sections.tsx';
import { visibleText } from '../format/visible-text.ts';
import { RepoInvitationsSection } from '../invitations/invitation-sections.tsx';
import { includesRole } from '../members/roles.ts';
import { AccessTokenForm } from '../repos/access-token-form.tsx';
import { CodeSearch } from '../repos/code-search.tsx';
import { DeleteRepo } from '../repos/delete-repo.tsx';
import { IssueTemplatesForm } from '../repos/issue-templates-form.tsx';
import { MembersSection } from '../repos/members-section.tsx';
import { RepoFacts } from '../repos/repo-facts.tsx';
import { RepoSettingsForm } from '../repos/repo-settings-form.tsx';
import { repoQuery } from '../session/queries.ts';
import { RepoTokensSection } from '../tokens/repo-tokens-section.tsx';
import { buttonClass } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { ResourceFault } from '../ui/resource-fault.tsx';
import { Section } from '../ui/section.tsx';

export function RepoPage() {
  const { id } = useParams({ from: '/session/repos/$id' });
  const { q } = useSearch({ from: '/session/repos/$id' });
  const { data: repo, error, refetch } = useQuery({ ...repoQuery(id), staleTime: 0 });
  if (repo === undefined)
    return error === null ? (
      <Page title="Repository">
        <Loading what="the repository" />
      </Page>
    ) : (
      <ResourceFault
        error={error}
        onRetry={() => void refetch()}
        name="repository"
        theirs="Ask an admin of the repository to add you, or register it yourself."
        back={<Link to="/repos">Go to the repositories</Link>}
      />
    );
  return (
    <Page title={visibleText(repo.name)} actions={<RepoActions repo={repo} />}>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {repo.index === null && repo.active_issue_id === null && mayCreate(repo) && <FirstIssue repo={repo} />}
      <Section title="State">
        <RepoFacts repo={repo} />
      </Section>
      <Section title="Code search" id="search">
        <CodeSearch repo={repo} q={q} />
      </Section>
      <MembersSection key={`members ${id}`} repo={repo} />
      {repo.role === 'admin' && <RepoInvitationsSection key={`invitations ${id}`} repo={repo} />}
      <RepoTokensSection key={`tokens ${id}`} repo={repo} />
      {repo.role === 'admin' && <AdminSections key={id} repo={repo} />}
    </Page>
  );
}

/** What only an admin of the repository may change. */
function AdminSections({ repo }: { readonly repo: Repo }) {
  return (
    <>
      <Section title="Settings" id="settings">
        <RepoSettingsForm repo={repo} />
      </Section>
      <RepoBudgetSection repo={repo} />
      <Section
        title="Issue templates"
        id="templates"
        about="What a new issue of this repository may start from. Its author chooses one of them."
      >
        <IssueTemplatesForm repo={repo} />
      </Section>
      {repo.provider === 'git' && repo.url.startsWith('https:') && (
        <Section title="Access" id="access">
          <AccessTokenForm repo={repo} />
        </Section>
      )}
      <Section title="Remove" id="remove">
        <DeleteRepo repo={repo} />
      </Section>
    </>
  );
}

function mayCreate({ role }: Repo): boolean {
  return includesRole(role, 'contributor');
}

function RepoActions({ repo }: { readonly repo: Repo }) {
  return (
    <>
      <Link to="/issues" search={{ repo: repo.id }} className={buttonClass()}>
        Its issues
      </Link>
      {repo.provider === 'codehost' && mayCreate(repo) && (
        <Link to="/repos/$id/import" params={{ id: repo.id }} className={buttonClass()}>
          Import issues
        </Link>
      )}
      {mayCreate(repo) && (
        <Link to="/issues/new" search={{ repo: repo.id }} className={buttonClass('primary')}>
          New issue
        </Link>
      )}
    </>
  );
}

/** The next step after a repository was added. */
function FirstIssue({ repo }: { readonly repo: Repo }) {
  return (
    <Notice
      tone="good"
      action={
        <Link to="/issues/new" search={{ repo: repo.id }} className={buttonClass('primary')}>
          Create an issue
        </Link>
      }
    >
      This repository is ready. Say what should change in it: create its first issue
      {repo.provider === 'codehost' && ', or import one from the code host'}.
    </Notice>
  );
}
