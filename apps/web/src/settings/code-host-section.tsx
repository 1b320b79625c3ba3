import type { Profile } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { CodeHostButton } from '../login/sign-in-button.tsx';
import { signInError } from '../login/sign-in-error.ts';
import { client } from '../session/client.ts';
import { profileQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import type { SettingsSearch } from '../session/search-params.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';

interface CodeHostSectionProps {
  readonly profile: Profile;
  /** The host's name; null where none is configured. */
  readonly name: string | null;
}

/** How the attempt to link went from which the other service has just sent the user back. */
export function LinkOutcome({ outcome, profile }: { readonly outcome: SettingsSearch; readonly profile: Profile }) {
  const { error, linked } = outcome;
  if (error !== undefined) return <Notice tone="bad">{signInError(error)}</Notice>;
  if (linked === undefined || (linked === 'codehost' && profile.codehost_login === null)) return null;
  const where = linked === 'codehost' ? 'the code host' : 'the single sign-on';
  return <Notice tone="good">Your account at {where} is linked.</Notice>;
}

/** The user's account at the code host: linked, or not yet. */
export function CodeHostSection({ profile, name }: CodeHostSectionProps) {
  return (
    <Section
      title="Code host"
      id="code-host"
      about="A linked account gives access to your repositories there, imports issues, opens pull requests in your name, and logs you in."
    >
      {name === null ? (
        <p>
          This server has no code host. Its operator sets <code>CODEHOST_CLIENT_ID</code> and{' '}
          <code>CODEHOST_CLIENT_SECRET</code> to connect one.
        </p>
      ) : profile.codehost_login === null ? (
        <div>
          <CodeHostButton label={`Link your account at ${name}`} />
        </div>
      ) : (
        <Linked login={profile.codehost_login} name={name} />
      )}
    </Section>
  );
}

function Linked({ login, name }: { readonly login: string; readonly name: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const queries = useQueryClient();
  const unlink = useMutation({
    mutationFn: () => client.auth.codehost.unlink.mutate(),
    onSuccess: () => {
      setIsAsking(false);
      for (const queryKey of [profileQuery.queryKey, queryKeys.audit, queryKeys.hostedRepos])
        void queries.invalidateQueries({ queryKey });
    },
  });
  const account = (
    <strong>
      <bdi>{visibleText(login)}</bdi>
    </strong>
  );
  const close = () => {
    setIsAsking(false);
    unlink.reset();
  };
  return (
    <>
      <p>
        You are {account} at {name}.
      </p>
      <div>
        <Button tone="danger" onClick={() => setIsAsking(true)}>
          Unlink it…
        </Button>
      </div>
      <ConfirmDialog
        title={`Unlink your account at ${name}?`}
        isOpen={isAsking}
        onClose={close}
        confirm="Unlink it"
        tone="danger"
        busy={unlink.isPending}
        error={unlink.error}
        onConfirm={() => unlink.mutate()}
      >
        <p>
          Sluice forgets its access to {account}. You can no longer log in with it, and your issues on repositories
          there can neither read nor publish until you link it again.
        </p>
      </ConfirmDialog>
    </>
  );
}
