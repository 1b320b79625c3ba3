import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { ProviderButton } from '../login/sign-in-button.tsx';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Section } from '../ui/section.tsx';

type Identity = Awaited<ReturnType<typeof client.auth.oidc.identities.query>>['items'][number];

const IDENTITIES = ['oidc-identities'];

/** The user's accounts at the OpenID providers; nothing where none is configured. */
export function SingleSignOnSection() {
  const identities = useQuery({
    queryKey: IDENTITIES,
    queryFn: ({ signal }) => client.auth.oidc.identities.query(undefined, { signal }),
  });
  if (identities.isError) return <ErrorNotice error={identities.error} />;
  if (identities.data === undefined || identities.data.items.length === 0) return null;
  return (
    <Section
      title="Single sign-on"
      id="single-sign-on"
      about="A linked account logs you in. Your groups there may give you roles, which you get at each sign-in."
    >
      {identities.data.items.map((identity) => (
        <Provider key={identity.provider} identity={identity} />
      ))}
    </Section>
  );
}

function Provider({ identity }: { readonly identity: Identity }) {
  const { provider, linked_at: linkedAt, current } = identity;
  const name = visibleText(identity.name);
  const [isAsking, setIsAsking] = useState(false);
  const queries = useQueryClient();
  const unlink = useMutation({
    mutationFn: () => client.auth.oidc.unlink.mutate({ provider }),
    onSuccess: () => {
      setIsAsking(false);
      for (const queryKey of [IDENTITIES, queryKeys.audit]) void queries.invalidateQueries({ queryKey });
    },
  });
  const logOut = useMutation({
    mutationFn: () => client.auth.oidc.logout.mutate({ provider }),
    onSuccess: ({ end_session_url: url }) => location.assign(url ?? '/login'),
  });
  const close = () => {
    setIsAsking(false);
    unlink.reset();
  };
  if (linkedAt === null) {
    return (
      <div>
        <ProviderButton provider={provider} label={`Link your account at ${name}`} />
      </div>
    );
  }
  return (
    <>
      <p>Your account at {name} is linked.</p>
      {logOut.isError && <ErrorNotice error={logOut.error} />}
      <div>
        <Button tone="danger" onClick={() => setIsAsking(true)}>
          Unlink {name}…
        </Button>{' '}
        {current && (
          <Button busy={logOut.isPending || logOut.isSuccess} onClick={() => logOut.mutate()}>
            Log out here and at {name}
          </Button>
        )}
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
        <p>You can no longer log in with it, and lose the roles that your groups there gave you.</p>
      </ConfirmDialog>
    </>
  );
}
