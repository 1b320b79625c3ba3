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
