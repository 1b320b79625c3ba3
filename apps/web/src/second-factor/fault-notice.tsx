import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasskeyFault } from './browser-passkeys.ts';

/** What went wrong in the browser or at the server. */
export function FaultNotice({ error }: { readonly error: unknown }) {
  if (error instanceof PasskeyFault) return <Notice tone="bad">{error.message}</Notice>;
  return <ErrorNotice error={error} />;
}
