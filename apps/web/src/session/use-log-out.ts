import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from './client.ts';

/** Ends this session, leads to the login, and forgets what the page knows. */
export function useLogOut() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => client.auth.logout.mutate(),
    onSuccess: async () => {
      // The page goes first: what it shows would be read again, and refused.
      await navigate({ to: '/login' });
      queries.clear();
    },
  });
}
