import type { Repo } from '@sluice/client';
import { counted } from '../format/amounts.ts';
import { shortCommit } from '../format/short-commit.ts';
import { RelativeTime } from '../ui/time.tsx';

/** The indexed commit of a repository, which the agents and the code search read, and its time. */
export function IndexState({ index }: { readonly index: Repo['index'] }) {
  if (index === null) return <>not indexed yet: its first issue does that</>;
  return (
    <>
      {counted(index.chunks, 'piece')} of {counted(index.files, 'file')} at{' '}
      <code title={index.commit}>{shortCommit(index.commit)}</code>, <RelativeTime at={index.updated_at} />
    </>
  );
}
