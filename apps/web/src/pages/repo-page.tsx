import type { Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { visibleText } from '../format/visible-text.ts';
import { AccessTokenForm } from '../repos/access-token-form.tsx';
import { CodeSearch } from '../repos/code-search.tsx';
import { DeleteRepo } from '../repos/delete-repo.tsx';
import { IssueTemplatesForm } from '../repos/issue-templates-form.tsx';
import { RepoFacts } from '../repos/repo-facts.tsx';
import { RepoSettingsForm } from '../repos/repo-settings-form.tsx';
import { repoQuery } from '../session/queries.ts';
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
        theirs="Log in as the user who added it, or add it to your own."
        back={<Link to="/repos">Go to the repositories</Link>}
      />
    );
  return (
    <Page title={visibleText(repo.name)} actions={<RepoActions repo={repo} />}>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {repo.index === null && repo.active_issue_id === null && <FirstIssue repo={repo} />}
      <Section title="State">
        <RepoFacts repo={repo} />
      </Section>
      <Section title="Code search" id="search">
        <CodeSearch repo={repo} q={q} />
      </Section>
      <Section title="Settings" id="settings">
        <RepoSettingsForm key={id} repo={repo} />
      </Section>
      <Section
        title="Issue templates"
        id="templates"
        about="What a new issue of this repository may start from. Its author chooses one of them."
      >
        <IssueTemplatesForm key={id} repo={repo} />
      </Section>
      {repo.provider === 'git' && repo.url.startsWith('https:') && (
        <Section title="Access" id="access">
          <AccessTokenForm repo={repo} />
        </Section>
      )}
      <Section title="Remove" id="remove">
        <DeleteRepo repo={repo} />
      </Section>
    </Page>
  );
}

function RepoActions({ repo }: { readonly repo: Repo }) {
  return (
    <>
      <Link to="/issues" search={{ repo: repo.id }} className={buttonClass()}>
        Its issues
      </Link>
      {repo.provider === 'codehost' && (
        <Link to="/repos/$id/import" params={{ id: repo.id }} className={buttonClass()}>
          Import issues
        </Link>
      )}
      <Link to="/issues/new" search={{ repo: repo.id }} className={buttonClass('primary')}>
        New issue
      </Link>
    </>
  );
}

/** What comes after a repository was added. */
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
