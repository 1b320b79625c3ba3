import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';
import type { IssueSearch } from '../session/search-params.ts';

interface IssueLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  readonly issueId: string;
  readonly to: IssueSearch;
  readonly hash?: string | undefined;
}

/** A link to a place inside the issue that is shown. It neither reloads the page nor scrolls it; there may be thousands. */
export function IssueLink({ issueId, to, hash, ...rest }: IssueLinkProps) {
  const router = useRouter();
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({
      to: '/issues/$id',
      params: { id: issueId },
      search: to,
      ...(hash === undefined ? {} : { hash }),
      resetScroll: false,
      hashScrollIntoView: false,
    });
  };
  return <a {...rest} href={issueHref(issueId, to, hash)} onClick={follow} />;
}

/** The address of a view of an issue. */
export function issueHref(id: string, search: IssueSearch, hash?: string): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) parameters.set(name, String(value));
  return `/issues/${id}?${parameters}${hash === undefined ? '' : `#${hash}`}`;
}
