// house-rule(host-names): pinned, but for the operator's own host
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https'; // house-rule(host-names): the same
import { type HostResolver, isPublicAddress, pinnedLookup } from '@sluice/core/network';
import type { HostAddress } from './host-address.ts';

/** The end of a log. */
export interface LogTail {
  readonly bytes: Uint8Array;
  /** Whether there was more before it. */
  readonly truncated: boolean;
}

export interface LogRequest {
  readonly url: URL;
  readonly host: HostAddress;
  readonly hosts: HostResolver;
  readonly signal: AbortSignal;
}

const TAIL_BYTES = 200 * 1024; // more than a model reads; the failure stands at the end
const MAX_LOG_BYTES = 512 * 1024 * 1024; // the log of a job of many hours

/**
 * Reads the end of a log at the address that the host has redirected to. That address is another host's, and comes from a
 * response: so no token and no header of the API is sent there, no redirect is followed, it must be HTTPS unless the API
 * itself is not, and it must not lead into our own network, except to the code host's own name. The address that was checked
 * is the one that is connected to. Only the tail is held in memory.
 *
 * @returns null when there is no log to be read there: refused, gone, too slow or too long
 */
export async function readLogTail(request: LogRequest): Promise<LogTail | null> {
  try {
    const send = await senderOf(request);
    if (send === null) return null;
    return await new Promise<LogTail | null>((resolve, reject) => {
      send((response) => {
        tailOf(response).then(resolve, reject);
      }).on('error', reject);
    });
  } catch {
    return null;
  }
}

/** Null for an address that must not be requested. */
async function senderOf({ url, host, hosts, signal }: LogRequest) {
  const isOwn = [host.api.hostname, new URL(host.web).hostname].includes(url.hostname);
  const isPlain = url.protocol === 'http:' && host.api.protocol === 'http:';
  if (!isPlain && url.protocol !== 'https:') return null;
  if (url.username !== '' || url.password !== '') return null;
  const addresses = isOwn ? null : await publicAddressesOf(url, { hosts, signal });
  if (addresses?.length === 0) return null;
  const options: RequestOptions = {
    method: 'GET',
    headers: { accept: 'text/plain, */*' },
    agent: false, // a connection of its own, whose address was looked up for it
    signal,
    // The operator's own host is looked up by the system.
    ...(addresses === null ? {} : { lookup: pinnedLookup(addresses) }),
  };
  const request = isPlain ? httpRequest : httpsRequest;
  return (onResponse: (response: IncomingMessage) => void) => request(url, options, onResponse).end();
}

/** The addresses of another host; none when it has no address, or one of them is not of the public internet. */
async function publicAddressesOf({ hostname }: URL, { hosts, signal }: Pick<LogRequest, 'hosts' | 'signal'>) {
  const lookup = await hosts.resolve(hostname.replace(/^\[|\]$/g, ''), { owner: 'code host', signal });
  return lookup.kind === 'found' && lookup.addresses.every(isPublicAddress) ? lookup.addresses : [];
}

async function tailOf(response: IncomingMessage): Promise<LogTail | null> {
  if (response.statusCode !== 200) {
    response.destroy();
    return null;
  }
  let kept: Buffer[] = [];
  let [keptBytes, allBytes] = [0, 0];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    allBytes += chunk.byteLength;
    // Leaving the loop destroys the stream.
    if (allBytes > MAX_LOG_BYTES) return null;
    kept.push(chunk);
    keptBytes += chunk.byteLength;
    if (keptBytes > 2 * TAIL_BYTES) {
      kept = [Buffer.concat(kept).subarray(-TAIL_BYTES)];
      keptBytes = TAIL_BYTES;
    }
  }
  // A copy, because a part would keep the whole buffer alive.
  const bytes = Uint8Array.from(Buffer.concat(kept).subarray(-TAIL_BYTES));
  return { bytes, truncated: allBytes > bytes.byteLength };
}
