import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

/** Ends this session, and forgets what this page knows. */
export function LogOutButton() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: () => client.auth.logout.mutate(),
    onSuccess: async () => {
      await navigate({ to: '/login' });
      queries.clear();
    },
  });
  return (
    <>
      {leave.isError && <ErrorNotice error={leave.error} />}
      <Button busy={leave.isPending} onClick={() => leave.mutate()}>
        Log out
      </Button>
    </>
  );
}
