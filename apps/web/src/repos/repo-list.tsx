import type { Repo } from '@sluice/client';
import { Link } from '@tanstack/react-router';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Fact } from '../ui/fact.tsx';
import { IndexState } from './index-state.tsx';
import styles from './repo-list.module.css';

/** Repositories, each with what one asks first: where it is, what runs on it, what of it is indexed. */
export function RepoList({ repos }: { readonly repos: readonly Repo[] }) {
  return (
    <ul className={styles.list}>
      {repos.map((repo) => (
        <RepoRow key={repo.id} repo={repo} />
      ))}
    </ul>
  );
}

function RepoRow({ repo }: { readonly repo: Repo }) {
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <h2 className={styles.name}>
          <Link to="/repos/$id" params={{ id: repo.id }}>
            <bdi>{visibleText(repo.name)}</bdi>
          </Link>
        </h2>
        {repo.provider === 'codehost' && <Badge>code host</Badge>}
        {repo.active_issue_id !== null && (
          <Link to="/issues/$id" params={{ id: repo.active_issue_id }} className={styles.active}>
            <Badge tone="accent">issue in progress</Badge>
          </Link>
        )}
      </div>
      <p className={styles.url}>{visibleText(repo.url)}</p>
      <dl className={styles.facts}>
        <Fact name="Branch">
          <code>{visibleText(repo.default_branch)}</code>
        </Fact>
        <Fact name="Tests">
          <Command text={repo.test_command} />
        </Fact>
        <Fact name="Setup">
          <Command text={repo.setup_command} />
        </Fact>
        <Fact name="Index">
          <IndexState index={repo.index} />
        </Fact>
      </dl>
    </li>
  );
}

/** A command of a repository; without one the service looks for it in the project's files. */
function Command({ text }: { readonly text: string | null }) {
  if (text === null) return <>detected</>;
  return (
    <code className={styles.command} title={visibleText(text)}>
      {visibleText(text)}
    </code>
  );
}
