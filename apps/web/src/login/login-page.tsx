import type { Profile } from '@sluice/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { RequiredEnrollment } from '../second-factor/enrollment.tsx';
import { type SecondFactors, secondFactorsQuery } from '../second-factor/second-factor-queries.ts';
import { type OpenLogin, openLoginOf, SecondStep } from '../second-factor/second-step.tsx';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { profileQuery, serverQuery } from '../session/queries.ts';
import { returnPath } from '../session/return-path.ts';
import { useSessionElsewhere } from '../session/use-one-account.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, fieldText } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page.tsx';
import { type InvitationLink, readInvitation } from './link-token.ts';
import styles from './login-page.module.css';
import { CodeHostButton, ProviderButton } from './sign-in-button.tsx';
import { signInError } from './sign-in-error.ts';

/** The step after the password. */
type Step =
  | { readonly kind: 'second'; readonly login: OpenLogin }
  | { readonly kind: 'enroll'; readonly profile: Profile; readonly factors: SecondFactors };

/** Logs in, or makes an account, and leads back to where the user was. */
export function LoginPage({ kind }: { readonly kind: 'login' | 'register' }) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const server = useQuery(serverQuery);
  useForgetSession();
  useSessionElsewhere(kind === 'login' ? returnPath(search.return) : null);
  const [step, setStep] = useState<Step | null>(null);
  const [invitation] = useState(() => (kind === 'register' ? readInvitation(location.hash) : null));
  const goOn = async (profile: Profile) => {
    queries.setQueryData(profileQuery.queryKey, profile);
    await navigate({ href: returnPath(search.return), replace: true });
  };
  const entered = async (profile: Profile) => {
    queries.clear(); // nothing of another account may be shown
    const factors = await queries.fetchQuery(secondFactorsQuery);
    if (factors.must_enroll) setStep({ kind: 'enroll', profile, factors });
    else await goOn(profile);
  };
  const enter = useMutation({
    mutationFn: (form: FormData) => send(kind, form, invitation),
    onSuccess: entered,
    onError: (error) => {
      const login = openLoginOf(error);
      if (login === null) return;
      setStep({ kind: 'second', login });
      enter.reset();
    },
  });
  const faults = fieldErrors(enter.error);
  const title = kind === 'login' ? 'Log in' : 'Create an account';
  // Until the server has said otherwise, so that the form does not jump.
  const hasPasswords = server.data?.sign_in.includes('password') ?? true;
  const mayRegister = hasPasswords && server.data !== undefined && !/^(closed|invite)$/.test(server.data.registration);
  if (step !== null) {
    return (
      <main className={styles.page}>
        <PageTitle title="Second factor" />
        <div className={styles.card}>
          <p className={styles.brand}>Sluice</p>
          <h1>Second factor</h1>
          {step.kind === 'second' ? (
            <SecondStep
              login={step.login}
              action="Log in"
              complete={(given) => client.auth.login.mutate(given)}
              onDone={entered}
              onBack={() => setStep(null)}
            />
          ) : (
            <RequiredEnrollment {...step} onDone={() => void goOn(step.profile)} />
          )}
        </div>
      </main>
    );
  }
  return (
    <main className={styles.page}>
      <PageTitle title={title} />
      <div className={styles.card}>
        <p className={styles.brand}>Sluice</p>
        <h1>{title}</h1>
        {search.expired === true && !enter.isError && (
          <Notice tone="warn">Session expired. Log in again; you return to where you were.</Notice>
        )}
        {server.data?.registration === 'first_user' && kind === 'login' && (
          <Notice tone="info">There is no account here yet. The first one becomes an operator.</Notice>
        )}
        {invitation !== null && !enter.isError && (
          <Notice tone="info">You were invited. Make your account with the e-mail below.</Notice>
        )}
        {server.data?.registration === 'invite' && kind === 'register' && invitation === null && (
          <Notice tone="warn">This server takes new accounts by invitation only. Open the whole link of yours.</Notice>
        )}
        {search.error !== undefined && !enter.isError && <Notice tone="bad">{signInError(search.error)}</Notice>}
        {enter.isError && <ErrorNotice error={enter.error} />}
        {hasPasswords && (
          <Form onSubmit={(data) => !enter.isPending && enter.mutate(data)}>
            {kind === 'register' && (
              <TextField label="Name" name="name" autoComplete="name" hint="May stay empty." error={faults.name} />
            )}
            <TextField
              label="E-mail"
              name="email"
              type="email"
              autoComplete="username"
              required
              defaultValue={invitation?.email}
              error={faults.email}
            />
            <TextField
              label="Password"
              name="password"
              type="password"
              autoComplete={kind === 'login' ? 'current-password' : 'new-password'}
              required
              error={faults.password}
              hint={kind === 'register' ? 'A sentence of several words is both safe and easy to remember.' : undefined}
            />
            <Button type="submit" tone="primary" busy={enter.isPending}>
              {title}
            </Button>
          </Form>
        )}
        {server.data?.oidc_providers.map(({ id, name }) => (
          <ProviderButton
            key={id}
            provider={id}
            label={`Continue with ${visibleText(name)}`}
            returnTo={search.return}
          />
        ))}
        {server.data?.sign_in.includes('codehost') === true && <CodeHostButton returnTo={search.return} />}
        {kind === 'login' && server.data?.password_reset === true && (
          <p>
            <Link to="/reset-password">Forgotten your password?</Link>
          </p>
        )}
        {kind === 'login' && mayRegister && (
          <p>
            No account yet?{' '}
            <Link to="/register" search={{ return: search.return }}>
              Create one
            </Link>
          </p>
        )}
        {kind === 'register' && (
          <p>
            You have an account?{' '}
            <Link to="/login" search={{ return: search.return }}>
              Log in
            </Link>
          </p>
        )}
      </div>
    </main>
  );
}

/** Forgets what was read in a session that has ended. Not before: pages that still show it would read it again. */
function useForgetSession(): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (queries.getQueryData(profileQuery.queryKey) === undefined) return;
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== serverQuery.queryKey[0] });
    void queries.resetQueries(serverQuery); // the server says less of itself without a session
  }, [queries]);
}

async function send(kind: 'login' | 'register', form: FormData, invitation: InvitationLink | null) {
  const credentials = { email: fieldText(form, 'email'), password: String(form.get('password') ?? '') };
  if (kind === 'login') return await client.auth.login.mutate(credentials);
  return await client.auth.register.mutate({
    ...credentials,
    name: fieldText(form, 'name') || null,
    ...(invitation !== null && { invitation: invitation.token }),
  });
}
