import { useEffect, useState } from 'react';

/**
 * The secret of the link from an e-mail, or null. It stands in the fragment, which goes to no server, and leaves the address at
 * once, so that it stays in no history.
 */
export function useLinkToken(name = 'token'): string | null {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get(name));
  useEffect(() => {
    if (token !== null) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [token]);
  return token;
}
