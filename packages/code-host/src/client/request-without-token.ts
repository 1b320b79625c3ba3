// house-rule(host-names): pinned, but for the operator's own host
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https'; // house-rule(host-names): the same
import { type HostResolver, isPublicAddress, pinnedLookup } from '@sluice/core/network';
import type { HostAddress } from './host-address.ts';

export interface TokenlessRequest {
  readonly url: URL;
  readonly host: HostAddress;
  readonly hosts: HostResolver;
  readonly signal: AbortSignal;
  /** The value of the header `accept`. */
  readonly accept: string;
}

/**
 * Requests a file at an address that came from a response of the code host. That address is another host's: so no token and
 * no header of the API is sent there, no redirect is followed, it must be HTTPS unless the API itself is not, and it must not
 * lead into our own network, except to the code host's own name. The address that was checked is the one that is connected to.
 *
 * @returns the response, whatever its status, with its body unread; null for an address that must not be requested
 */
export async function requestWithoutToken(request: TokenlessRequest): Promise<IncomingMessage | null> {
  const send = await senderOf(request);
  if (send === null) return null;
  return await new Promise<IncomingMessage>((resolve, reject) => {
    send(resolve).on('error', reject);
  });
}

/** Null for an address that must not be requested. */
async function senderOf({ url, host, hosts, signal, accept }: TokenlessRequest) {
  const isOwn = [host.api.hostname, new URL(host.web).hostname].includes(url.hostname);
  const isPlain = url.protocol === 'http:' && host.api.protocol === 'http:';
  if (!isPlain && url.protocol !== 'https:') return null;
  if (url.username !== '' || url.password !== '') return null;
  const addresses = isOwn ? null : await publicAddressesOf(url, { hosts, signal });
  if (addresses?.length === 0) return null;
  const options: RequestOptions = {
    method: 'GET',
    headers: { accept },
    agent: false, // a connection of its own, whose address was looked up for it
    signal,
    // The operator's own host is looked up by the system.
    ...(addresses === null ? {} : { lookup: pinnedLookup(addresses) }),
  };
  const request = isPlain ? httpRequest : httpsRequest;
  return (onResponse: (response: IncomingMessage) => void) => request(url, options, onResponse).end();
}

/** The addresses of another host; none when it has no address, or one of them is not of the public internet. */
async function publicAddressesOf({ hostname }: URL, { hosts, signal }: Pick<TokenlessRequest, 'hosts' | 'signal'>) {
  const lookup = await hosts.resolve(hostname.replace(/^\[|\]$/g, ''), { owner: 'code host', signal });
  return lookup.kind === 'found' && lookup.addresses.every(isPublicAddress) ? lookup.addresses : [];
}
