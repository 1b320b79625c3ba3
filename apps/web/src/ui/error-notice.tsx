import { errorText } from '../session/error-text.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** A failed read or change, in words, with a way to try again where there is one. */
export function ErrorNotice({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const retry = onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>;
  return (
    <Notice tone="bad" action={retry}>
      {errorText(error)}
    </Notice>
  );
}
