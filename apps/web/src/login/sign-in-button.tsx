import { useMutation } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { keepReturnPath } from '../session/return-path.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

interface SignInButtonProps {
  readonly label: string;
  /** Where the user goes on after the other service has sent them back. */
  readonly returnTo?: string | undefined;
}

/** Leads to the code host, which sends the browser back logged in or, with a session, linked. */
export function CodeHostButton({ label = 'Continue with the code host', ...props }: Partial<SignInButtonProps>) {
  return <SignInButton label={label} start={() => client.auth.codehost.start.mutate(undefined)} {...props} />;
}

/** The same for an OpenID provider. */
export function ProviderButton({ provider, ...props }: SignInButtonProps & { readonly provider: string }) {
  return <SignInButton start={() => client.auth.oidc.start.mutate({ provider })} {...props} />;
}

function SignInButton({
  label,
  returnTo,
  start: mutationFn,
}: SignInButtonProps & { readonly start: () => Promise<{ authorization_url: string }> }) {
  const start = useMutation({
    mutationFn,
    onSuccess: ({ authorization_url: url }) => {
      keepReturnPath(returnTo);
      location.assign(url);
    },
  });
  return (
    <>
      {start.isError && <ErrorNotice error={start.error} />}
      <Button busy={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
        {label}
      </Button>
    </>
  );
}
