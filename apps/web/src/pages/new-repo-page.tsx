import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { HostedRepoChoice } from '../repos/hosted-repo-choice.tsx';
import { RegisterRepoForm } from '../repos/register-repo-form.tsx';
import { serverQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';

export function NewRepoPage() {
  const { data: server, error, refetch } = useQuery(serverQuery);
  const [hosted, setHosted] = useState<string | null>(null);
  const codehost = server?.details?.codehost ?? null;
  return (
    <Page title="Add a repository">
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {server === undefined && error === null && <Loading what="the ways to add one" />}
      {codehost !== null && (
        <Section
          title={hosted === null ? `From ${codehost.name}` : hosted}
          about={
            hosted === null
              ? 'With your account there: private or not, no token is needed, issues can be imported, and results become pull requests.'
              : undefined
          }
        >
          {hosted === null ? (
            <HostedRepoChoice onChoose={setHosted} />
          ) : (
            <RegisterRepoForm
              hosted={hosted}
              actions={<Button onClick={() => setHosted(null)}>Choose another one</Button>}
            />
          )}
        </Section>
      )}
      {server !== undefined && hosted === null && (
        <Section
          title="By its address"
          about="From any git server. The result is a branch that is pushed there, and a patch to download."
        >
          <RegisterRepoForm hosted={null} />
        </Section>
      )}
    </Page>
  );
}
