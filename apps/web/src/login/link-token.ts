import { useEffect, useState } from 'react';

/**
 * The secret of the link from an e-mail, or null. It stands in the fragment, which goes to no server, and leaves the address at
 * once, so that it stays in no history. A link that is opened where the page is open already only changes the fragment.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    const take = () => setToken((before) => tokenInAddress() ?? before);
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  useEffect(() => {
    if (token !== null) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [token]);
  return token;
}

function tokenInAddress(): string | null {
  return new URLSearchParams(window.location.hash.slice(1)).get('token');
}
