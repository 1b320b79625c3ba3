import type { Repo } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { repoUrl } from '../format/code-host-links.ts';
import { visibleText } from '../format/visible-text.ts';
import { OutsideLink } from '../ui/outside-link.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { IndexState } from './index-state.tsx';
import styles from './repo-facts.module.css';

/** The facts of a repository: its address, its running issues, its index. */
export function RepoFacts({ repo }: { readonly repo: Repo }) {
  return (
    <dl className={styles.facts}>
      <Fact name="Address">
        <OutsideLink href={repoUrl(repo)}>{visibleText(repo.url)}</OutsideLink>
      </Fact>
      <Fact name="Reached">
        {repo.provider === 'codehost' ? 'with your account at the code host' : 'by its address'}
      </Fact>
      <Fact name="In progress">
        {repo.active_issue_id === null ? (
          'no issue'
        ) : (
          <Link to="/issues/$id" params={{ id: repo.active_issue_id }}>
            one issue: open it
          </Link>
        )}
      </Fact>
      <Fact name="Index">
        <IndexState index={repo.index} />
      </Fact>
      <Fact name="Added">
        <RelativeTime at={repo.created_at} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
