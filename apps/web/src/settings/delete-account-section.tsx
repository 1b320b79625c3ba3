import type { Profile } from '@sluice/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { browserStorage, forgetKept, tabStorage } from '../browser/page-storage.ts';
import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { CurrentPassword } from '../second-factor/current-password.tsx';
import { type OpenLogin, openLoginOf, SecondStep } from '../second-factor/second-step.tsx';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { tellAccount } from '../session/use-one-account.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';

type Deletion = Awaited<ReturnType<typeof client.auth.account.deletion.query>>;
type LeftRepo = Deletion['repos'][number];

/** Deletes the account, and says before what becomes of its issues and repositories. */
export function DeleteAccountSection({ profile }: { readonly profile: Profile }) {
  const [isAsking, setIsAsking] = useState(false);
  const deletion = useQuery({
    queryKey: ['account-deletion'],
    queryFn: ({ signal }) => client.auth.account.deletion.query(undefined, { signal }),
  });
  return (
    <Section title="Delete the account" id="delete-account" about="This cannot be undone.">
      {deletion.isError && <ErrorNotice error={deletion.error} onRetry={() => void deletion.refetch()} />}
      {deletion.data !== undefined && <WhatBecomes deletion={deletion.data} />}
      {deletion.data?.last_operator === true ? (
        <Notice tone="warn">
          You are the only operator of this server who can log in. Make another user an operator first, under{' '}
          <Link to="/admin" hash="users">
            Administration
          </Link>
          .
        </Notice>
      ) : (
        <div>
          <Button tone="danger" disabled={deletion.data === undefined} onClick={() => setIsAsking(true)}>
            Delete my account…
          </Button>
        </div>
      )}
      <Dialog title="Delete your account?" isOpen={isAsking} onClose={() => setIsAsking(false)}>
        {isAsking && deletion.data !== undefined && <Proof profile={profile} proof={deletion.data.proof} />}
      </Dialog>
    </Section>
  );
}

function WhatBecomes({
  deletion: { issues_to_cancel: cancelled, issues_kept: kept, repos },
}: {
  readonly deletion: Deletion;
}) {
  return (
    <ul>
      {cancelled > 0 && (
        <li>
          {counted(cancelled, 'issue')} that {cancelled === 1 ? 'has' : 'have'} not ended: cancelled.
        </li>
      )}
      {kept > 0 && <li>{counted(kept, 'issue')} of yours in repositories that stay: kept, without your name.</li>}
      {repos.map((repo) => (
        <li key={repo.id}>
          <Left repo={repo} />
        </li>
      ))}
      <li>Your sessions, API tokens, memberships, ways to log in, name and e-mail: deleted.</li>
    </ul>
  );
}

function Left({
  repo: { name, heir, issues, issues_of_others: others, token_dropped: isDropped },
}: {
  readonly repo: LeftRepo;
}) {
  const shown = <bdi>{visibleText(name)}</bdi>;
  if (heir === null) {
    return (
      <>
        {shown}: removed with its {counted(issues, 'issue')}
        {others > 0 && `, ${others} of them by other users`}. Make another member an admin to keep it.
      </>
    );
  }
  return (
    <>
      {shown}: handed over to <bdi>{visibleText(heir.name ?? heir.codehost_login ?? 'another admin')}</bdi> with its{' '}
      {counted(issues, 'issue')}.{isDropped && ' Its access token is deleted: they have to set their own.'}
    </>
  );
}

function Proof({ profile, proof }: { readonly profile: Profile; readonly proof: Deletion['proof'] }) {
  const [step, setStep] = useState<OpenLogin | null>(null);
  const deleted = useDeleted();
  const remove = useMutation({
    mutationFn: (password: string) =>
      client.auth.account.delete.mutate(proof === 'password' ? { current_password: password } : {}),
    onSuccess: deleted,
    onError: (error) => {
      const open = openLoginOf(error);
      if (open === null) return;
      setStep(open);
      remove.reset();
    },
  });
  if (step !== null) {
    return (
      <SecondStep
        login={step}
        action="Delete my account"
        complete={(given) => client.auth.account.delete.mutate(given)}
        onDone={deleted}
        onBack={() => setStep(null)}
      />
    );
  }
  return (
    <Form
      label="Delete your account"
      onSubmit={(data) => !remove.isPending && remove.mutate(String(data.get('current_password') ?? ''))}
    >
      <p>All of this happens at once, and cannot be undone.</p>
      {proof === 'password' ? (
        <CurrentPassword profile={profile} error={fieldErrors(remove.error).current_password} />
      ) : (
        <p>You must have logged in within the last ten minutes.</p>
      )}
      {remove.isError && <ErrorNotice error={remove.error} />}
      <FormActions>
        <Button type="submit" tone="danger" busy={remove.isPending}>
          Delete my account
        </Button>
      </FormActions>
    </Form>
  );
}

/** Leads to the login, as logging out does, and forgets all that the browser keeps. */
function useDeleted(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    tellAccount(null);
    await navigate({ to: '/login' });
    forgetKept(tabStorage);
    forgetKept(browserStorage);
  };
}
