import type { Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { fileUrl } from '../format/code-host-links.ts';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { fieldText } from '../ui/form.tsx';
import { Loading } from '../ui/loading.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';
import styles from './code-search.module.css';

const MAX_HITS = 20;

interface CodeSearchProps {
  readonly repo: Repo;
  readonly q: string | undefined;
}

/** Searches the indexed code as the agents do. The question is in the address. */
export function CodeSearch({ repo, q }: CodeSearchProps) {
  const navigate = useNavigate();
  const { data, error, refetch, isLoading } = useQuery({
    queryKey: ['code', repo.id, repo.index?.commit, q],
    queryFn: ({ signal }) => client.repos.search.query({ id: repo.id, q: q ?? '', limit: MAX_HITS }, { signal }),
    enabled: q !== undefined && repo.index !== null,
  });
  if (repo.index === null)
    return <p>The code can be searched when it has been indexed. The first issue on this repository does that.</p>;
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const typed = fieldText(new FormData(event.currentTarget), 'q') || undefined;
          void navigate({ to: '/repos/$id', params: { id: repo.id }, search: { q: typed }, resetScroll: false });
        }}
      >
        <TextField key={q} label="Words, a symbol, or what the code does" name="q" type="search" defaultValue={q} />
        <Button type="submit">Search</Button>
      </form>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isLoading && <Loading what="the matches" />}
      {data !== undefined && (
        <p role="status" className={styles.count}>
          {data.items.length === 0
            ? 'Nothing in the indexed code matches. Try other words.'
            : countOf(data.items.length)}
        </p>
      )}
      {data !== undefined && (
        <ol className={styles.hits}>
          {data.items.map((hit) => (
            <Hit key={`${hit.path}:${hit.start_line}`} hit={hit} url={urlOf(repo, hit)} />
          ))}
        </ol>
      )}
    </>
  );
}

function countOf(hits: number): string {
  if (hits === MAX_HITS) return `The ${MAX_HITS} best matches`;
  return hits === 1 ? '1 match' : `${hits} matches, the best first`;
}

function urlOf(repo: Repo, { path, start_line: start, end_line: end }: CodeHit): string | null {
  return repo.index === null ? null : fileUrl(repo, { commit: repo.index.commit, path, lines: { start, end } });
}

type CodeHit = Awaited<ReturnType<typeof client.repos.search.query>>['items'][number];

function Hit({ hit, url }: { readonly hit: CodeHit; readonly url: string | null }) {
  const lines = hit.start_line === hit.end_line ? `line ${hit.start_line}` : `lines ${hit.start_line}–${hit.end_line}`;
  return (
    <li className={styles.hit}>
      <p className={styles.place}>
        <OutsideLink href={url}>
          <code>{visibleText(hit.path)}</code>
        </OutsideLink>
        <span>{lines}</span>
        {hit.symbol !== null && <code className={styles.symbol}>{visibleText(hit.symbol)}</code>}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard */}
      <section className={styles.code} tabIndex={0} aria-label={`${visibleText(hit.path)}, ${lines}`}>
        <pre>{visibleText(hit.text)}</pre>
      </section>
    </li>
  );
}
