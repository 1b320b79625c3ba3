import type { Repo } from '@sluice/client';
import { counted } from '../format/amounts.ts';
import { RelativeTime } from '../ui/time.tsx';

const SHORT_COMMIT = 10;

/** What of a repository the agents and the code search find, and as of when. */
export function IndexState({ index }: { readonly index: Repo['index'] }) {
  if (index === null) return <>not indexed yet: its first issue does that</>;
  return (
    <>
      {counted(index.chunks, 'piece')} of {counted(index.files, 'file')} at{' '}
      <code title={index.commit}>{index.commit.slice(0, SHORT_COMMIT)}</code>, <RelativeTime at={index.updated_at} />
    </>
  );
}
