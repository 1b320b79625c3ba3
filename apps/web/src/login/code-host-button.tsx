import { useMutation } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { keepReturnPath } from '../session/return-path.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

interface CodeHostButtonProps {
  readonly label?: string;
  /** Where the user goes on after the code host has sent them back. */
  readonly returnTo?: string | undefined;
}

/** Leads to the code host, which sends the browser back logged in or, with a session, linked. */
export function CodeHostButton({ label = 'Continue with the code host', returnTo }: CodeHostButtonProps) {
  const start = useMutation({
    mutationFn: () => client.auth.startCodehostLogin.mutate(undefined),
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
