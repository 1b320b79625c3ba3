import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from './client.ts';
import { tellAccount } from './use-one-account.ts';

/** Ends this session and leads to the login, which forgets what the page knows. */
export function useLogOut() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => client.auth.logout.mutate(),
    onSuccess: async () => {
      tellAccount(null);
      await navigate({ to: '/login' });
    },
  });
}
