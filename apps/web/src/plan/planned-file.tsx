import { Link } from '@tanstack/react-router';
import { fileUrl } from '../format/code-host-links.ts';
import { visibleText } from '../format/visible-text.ts';
import { OutsideLink } from '../ui/outside-link.tsx';
import styles from './plan-document.module.css';
import type { PlanPlace } from './plan-place.ts';

/** A file that a plan names, linked to where it can be read: the code host, or the search of the repository. */
export function PlannedFile({ path, place }: { readonly path: string; readonly place: PlanPlace }) {
  const { repo, repoId, commit } = place;
  const shown = (
    <code>
      <bdi>{visibleText(path)}</bdi>
    </code>
  );
  const url = repo === undefined ? null : fileUrl(repo, { commit, path });
  if (url === null) {
    return (
      <Link className={styles.file} to="/repos/$id" params={{ id: repoId }} search={{ q: path }} preload={false}>
        {shown}
      </Link>
    );
  }
  return (
    <OutsideLink className={styles.file} href={url}>
      {shown}
    </OutsideLink>
  );
}
