import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Loading } from './loading.tsx';

interface MoreButtonProps {
  /** The listed things, in the middle of a sentence. */
  readonly what: string;
  readonly list: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
    readonly refetch: () => unknown;
  };
}

/** The end of a list that comes in pages: it loads, it failed, or there is more. */
export function MoreButton({ what, list }: MoreButtonProps) {
  if (list.isPending) return <Loading what={what} />;
  return (
    <>
      {list.error != null && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
