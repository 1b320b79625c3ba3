import { type Decision, decideIssue, type Issue } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { client } from '../session/client.ts';
import { issueQuery } from '../session/issue-queries.ts';
import { queryKeys } from '../session/query-keys.ts';

/** A decision, with the issue as it was shown to the person who took it. */
interface TakenDecision {
  readonly seen: Issue;
  readonly decision: Decision;
  /** Called once the server has taken it, also when the page was left meanwhile. */
  readonly onDecided: () => void;
}

/** A decision that the server did not take. */
export interface RefusedDecision extends TakenDecision {
  readonly error: unknown;
}

export interface Deciding {
  decide(taken: TakenDecision): void;
  readonly isPending: boolean;
  readonly refused: RefusedDecision | null;
  /** The decision that was taken here last. */
  readonly decided: TakenDecision | null;
  dismiss(): void;
}

/** Takes decisions on one issue. It outlives the gate, so that the page can show what became of a decision. */
export function useDecision(): Deciding {
  const queries = useQueryClient();
  const isSending = useRef(false); // a second click comes before the page has drawn the first
  const mutation = useMutation({
    mutationFn: ({ seen, decision }: TakenDecision) => decideIssue(client, seen, decision),
    onSuccess: (issue, { onDecided }) => {
      onDecided();
      queries.setQueryData(issueQuery(issue.id).queryKey, issue);
    },
    // Refused, or without an answer: the issue may read differently now.
    onSettled: (_answer, _error, { seen }) => {
      isSending.current = false;
      void queries.invalidateQueries({ queryKey: queryKeys.issue(seen.id) });
    },
  });
  const { variables, error } = mutation;
  return {
    decide(taken) {
      if (isSending.current) return;
      isSending.current = true;
      mutation.mutate(taken);
    },
    isPending: mutation.isPending,
    refused: mutation.isError && variables !== undefined ? { ...variables, error } : null,
    decided: mutation.isSuccess ? (variables ?? null) : null,
    dismiss: mutation.reset,
  };
}
