import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../session/client.ts';
import { attemptOf } from '../session/idempotency-key.ts';
import { type Draft, toRequest } from './draft.ts';
import type { useDraft } from './use-draft.ts';

/**
 * Creates the issue of a draft and leads to it. A request keeps its idempotency key until it is answered with an issue, also
 * over a reload: sent again it creates no second one. The server keeps no refusal with the key.
 */
export function useCreateIssue({ change, discard }: Pick<ReturnType<typeof useDraft>, 'change' | 'discard'>) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (draft: Draft) => {
      const request = toRequest(draft);
      const attempt = attemptOf(draft.attempt, request);
      change({ attempt });
      return await client.issues.create.mutate(request, { idempotencyKey: attempt.key });
    },
    onSuccess: async ({ id }) => {
      discard();
      await navigate({ to: '/issues/$id', params: { id } });
    },
  });
}
