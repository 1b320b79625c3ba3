import type { Repo } from '@sluice/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { visibleText } from '../format/visible-text.ts';
import { memberName } from '../members/member-name.ts';
import { client } from '../session/client.ts';
import { membersQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { TokenRow } from './token-row.tsx';

const PAGE = 100;

/** The API tokens of all members that are limited to a repository, for its admins. Nothing while there are none. */
export function RepoTokensSection({ repo }: { readonly repo: Repo }) {
  const queries = useQueryClient();
  const queryKey = queryKeys.repoTokens(repo.id);
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      client.repos.tokens.query({ id: repo.id, limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    enabled: repo.role === 'admin',
  });
  const revoke = useMutation({
    mutationFn: (id: string) => client.repos.revokeToken.mutate({ id: repo.id, token_id: id }),
    onSettled: () => void queries.invalidateQueries({ queryKey }),
  });
  const members = useQuery({ ...membersQuery(repo.id), enabled: repo.role === 'admin' }).data ?? [];
  const names = new Map(members.map((member) => [member.user_id, memberName(member)]));
  const tokens = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (tokens.length === 0 && !list.isError) return null;
  return (
    <Section
      title="API tokens"
      id="tokens"
      about="Tokens of members that reach this repository alone. Members may have others, for all of their repositories."
    >
      {revoke.isError && <ErrorNotice error={revoke.error} />}
      <ul className={rows.rows}>
        {tokens.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            about={`Of ${names.get(token.user_id) ?? visibleText(token.user_name ?? token.user_codehost_login ?? token.user_id)}.`}
            isRevoking={revoke.isPending && revoke.variables === token.id}
            onRevoke={() => revoke.mutate(token.id)}
          />
        ))}
      </ul>
      <MoreButton what="the API tokens" list={list} />
    </Section>
  );
}
