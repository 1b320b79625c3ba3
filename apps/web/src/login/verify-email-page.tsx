import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../session/client.ts';
import { profileQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { EntryCard } from './entry-card.tsx';
import { useLinkToken } from './link-token.ts';

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
