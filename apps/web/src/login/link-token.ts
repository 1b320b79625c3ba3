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

/** What the link of an invitation says. */
export interface InvitationLink {
  readonly token: string;
  readonly email: string;
}

/** Reads it off the fragment of the address; null when the address is none of an invitation. */
export function readInvitation(fragment: string): InvitationLink | null {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const [token, email] = [parts.get('invitation'), parts.get('email')];
  return token === null || token === '' ? null : { token, email: email ?? '' };
}
