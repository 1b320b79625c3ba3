import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { profileQuery, serverQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, fieldText } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page.tsx';
import { useLinkToken } from './link-token.ts';
import styles from './login-page.module.css';

/** Asks for the link that resets a password, and sets the new one where the link leads. */
export function ResetPasswordPage() {
  const token = useLinkToken();
  return (
    <EntryCard title={token === null ? 'Forgotten password' : 'Choose a new password'}>
      {token === null ? <AskForLink /> : <SetPassword token={token} />}
      <p>
        <Link to="/login">Back to the login</Link>
      </p>
    </EntryCard>
  );
}

function AskForLink() {
  const server = useQuery(serverQuery);
  const ask = useMutation({ mutationFn: (email: string) => client.auth.password.requestReset.mutate({ email }) });
  if (server.data?.password_reset === false) {
    return (
      <Notice tone="warn">
        This server resets no passwords by e-mail. Ask its operator: <code>sluice admin users reset-password</code>
      </Notice>
    );
  }
  if (ask.isSuccess) {
    return (
      <Notice tone="good">If an account has this e-mail, a link is on its way. It works once, for 30 minutes.</Notice>
    );
  }
  return (
    <Form onSubmit={(data) => !ask.isPending && ask.mutate(fieldText(data, 'email'))}>
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        error={fieldErrors(ask.error).email}
      />
      {ask.isError && <ErrorNotice error={ask.error} />}
      <Button type="submit" tone="primary" busy={ask.isPending}>
        Send the link
      </Button>
    </Form>
  );
}

function SetPassword({ token }: { readonly token: string }) {
  const set = useMutation({
    mutationFn: (password: string) => client.auth.password.reset.mutate({ token, password }),
  });
  if (set.isSuccess) {
    return <Notice tone="good">The password is set, and all your sessions have ended. Log in with the new one.</Notice>;
  }
  return (
    <Form onSubmit={(data) => !set.isPending && set.mutate(String(data.get('password') ?? ''))}>
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint="A sentence of several words is both safe and easy to remember."
        error={fieldErrors(set.error).password}
      />
      {set.isError && <ErrorNotice error={set.error} />}
      <Button type="submit" tone="primary" busy={set.isPending}>
        Set the new password
      </Button>
    </Form>
  );
}

/** Verifies an address, at a click: programs that look at the links of e-mails must not do it. */
export function VerifyEmailPage() {
  const token = useLinkToken();
  const queries = useQueryClient();
  const verify = useMutation({
    mutationFn: (token: string) => client.auth.email.verify.mutate({ token }),
    onSuccess: () => queries.invalidateQueries({ queryKey: profileQuery.queryKey, refetchType: 'none' }),
  });
  return (
    <EntryCard title="Verify your e-mail address">
      {token === null && <Notice tone="warn">Open the link in the e-mail. You get one in your settings.</Notice>}
      {verify.isSuccess && <Notice tone="good">Your e-mail address is verified.</Notice>}
      {verify.isError && <ErrorNotice error={verify.error} />}
      {token !== null && !verify.isSuccess && (
        <Button tone="primary" busy={verify.isPending} onClick={() => verify.mutate(token)}>
          This address is mine
        </Button>
      )}
      <p>
        <Link to="/issues">Open Sluice</Link>
      </p>
    </EntryCard>
  );
}

/** The frame of the pages that need no session. */
function EntryCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className={styles.page}>
      <PageTitle title={title} />
      <div className={styles.card}>
        <p className={styles.brand}>Sluice</p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
