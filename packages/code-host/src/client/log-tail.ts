import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '@sluice/core';
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
  readonly signal: AbortSignal;
}

const TAIL_BYTES = 200 * 1024; // more than a model reads; the failure stands at the end
const LONGEST_LOG = 512 * 1024 * 1024; // the log of a job of many hours

/**
 * Reads the end of a log at the address that the host has redirected to. That address is another host's, and comes from a
 * response: so no token and no header of the API is sent there, no redirect is followed, it must be HTTPS unless the API
 * itself is not, and it must not lead into our own network, except to the code host's own name. The address that was checked
 * is the one that is connected to. Only the tail is held in memory.
 *
 * @returns null when there is no log to be read there: refused, gone, too slow or too long
 */
export async function readLogTail(request: LogRequest): Promise<LogTail | null> {
  const send = senderOf(request);
  if (send === null) return null;
  try {
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
function senderOf({ url, host, signal }: LogRequest) {
  const isOwn = [host.api.hostname, new URL(host.web).hostname].includes(url.hostname);
  const isPlain = url.protocol === 'http:' && host.api.protocol === 'http:';
  if (!isPlain && url.protocol !== 'https:') return null;
  if (url.username !== '' || url.password !== '') return null;
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (!isOwn && isIP(literal) !== 0 && !isPublicAddress(literal)) return null;
  const options: RequestOptions = {
    method: 'GET',
    headers: { accept: 'text/plain, */*' },
    agent: false, // a connection of its own, whose address was looked up for it
    signal,
    ...(isOwn ? {} : { lookup: publicLookup }),
  };
  const request = isPlain ? httpRequest : httpsRequest;
  return (onResponse: (response: IncomingMessage) => void) => request(url, options, onResponse).end();
}

/** Resolves a name to its addresses, and fails if one of them is not of the public internet. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      callback(error ?? new Error('The address is not public.'), '', 0);
    } else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

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
    if (allBytes > LONGEST_LOG) return null;
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
