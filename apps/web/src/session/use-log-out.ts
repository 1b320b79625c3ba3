import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { browserStorage, forgetKept, tabStorage } from '../browser/page-storage.ts';
import { client } from './client.ts';
import { tellAccount } from './use-one-account.ts';

/** How the console looks: says nothing about what was read or written. */
const LOOKS = ['sluice.theme', 'sluice.tab-width'];

/** Ends this session and leads to the login, which forgets what the page knows. What was typed and not sent is forgotten too. */
export function useLogOut() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => client.auth.logout.mutate(),
    onSuccess: async () => {
      tellAccount(null);
      await navigate({ to: '/login' });
      forgetKept(tabStorage); // once the pages that keep it are gone
      forgetKept(browserStorage, LOOKS);
    },
  });
}
