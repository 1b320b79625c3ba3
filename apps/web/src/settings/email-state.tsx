import type { Profile } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

/** Whether the address is verified, and the way to it. */
export function EmailState({ profile, sendsEmail }: { readonly profile: Profile; readonly sendsEmail: boolean }) {
  const ask = useMutation({ mutationFn: () => client.auth.email.requestVerification.mutate() });
  if (profile.email === null || !sendsEmail) return null;
  if (profile.email_verified_at !== null) return <p>The address is verified.</p>;
  return (
    <div>
      <p>
        The address is not verified yet, so it cannot be used to add you to a repository.{' '}
        {ask.isSuccess ? (
          <span role="status">A link is on its way.</span>
        ) : (
          <Button busy={ask.isPending} onClick={() => ask.mutate()}>
            Send me the link
          </Button>
        )}
      </p>
      {ask.isError && <ErrorNotice error={ask.error} />}
    </div>
  );
}
