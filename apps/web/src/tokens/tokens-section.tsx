import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { reposQuery, serverQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { CreateTokenForm } from './create-token-form.tsx';
import { TokenRow } from './token-row.tsx';

const PAGE = 100;

/** The tokens with which the user's scripts call the API. */
export function TokensSection() {
  const queries = useQueryClient();
  const takesTokens = useQuery(serverQuery).data?.details?.api_tokens;
  const repos = useQuery(reposQuery).data;
  const list = useInfiniteQuery({
    queryKey: queryKeys.tokens,
    queryFn: ({ pageParam, signal }) => client.tokens.list.query({ limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const refresh = () => {
    for (const queryKey of [queryKeys.tokens, queryKeys.audit]) void queries.invalidateQueries({ queryKey });
  };
  const revoke = useMutation({
    mutationFn: (id: string) => client.tokens.revoke.mutate({ id }),
    onSettled: refresh,
  });
  const tokens = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (takesTokens === false && tokens.length === 0) return null;
  const nameOf = (id: string) => repos?.find((repo) => repo.id === id)?.name;
  return (
    <Section
      title="API tokens"
      id="tokens"
      about="For scripts and CI jobs: a token does what you may, within its scope, and nothing that acts on your account."
    >
      {revoke.isError && <ErrorNotice error={revoke.error} />}
      {tokens.length > 0 && (
        <ul className={rows.rows}>
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              about={
                token.repo_id === null
                  ? 'For all of your repositories.'
                  : `Only for ${visibleText(nameOf(token.repo_id) ?? 'a repository that you no longer see')}.`
              }
              isRevoking={revoke.isPending && revoke.variables === token.id}
              onRevoke={() => revoke.mutate(token.id)}
            />
          ))}
        </ul>
      )}
      <MoreButton what="your API tokens" list={list} />
      {takesTokens === true && <CreateTokenForm repos={repos ?? []} onCreated={refresh} />}
    </Section>
  );
}
