import { isIP } from 'node:net';
import type { ApiOptions } from '../../service/api-deps.ts';

/** The site for which passkeys are made. */
export interface RelyingParty {
  /** Its host name: authenticators keep passkeys by it. */
  readonly id: string;
  /** The only page that may ask for them. */
  readonly origin: string;
}

/** Null where there can be none: an address has no passkeys, only a name has. */
export function relyingParty({ publicUrl }: Pick<ApiOptions, 'publicUrl'>): RelyingParty | null {
  const { hostname, protocol, port, origin } = publicUrl;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (isLoopback) return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` };
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null;
}
