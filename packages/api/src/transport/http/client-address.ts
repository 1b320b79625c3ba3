import type { Request } from 'express';

/** Reads the address of a request's client from the connection, or from a trusted proxy's `X-Forwarded-For`. */
export type ClientAddress = (req: Request) => string;

const MAX_ADDRESS = 64;

/**
 * Creates the function that reads the address of a client from its request.
 *
 * @param trustProxy as in `ApiOptions`; without one Express need not look for it at each request
 */
export function clientAddressOf({ trustProxy }: { readonly trustProxy: readonly string[] }): ClientAddress {
  return trustProxy.length === 0 ? (req) => plainAddress(req.socket.remoteAddress) : (req) => plainAddress(req.ip);
}

/**
 * A client's address in one spelling: an IPv4 client on a dual-stack socket (`::ffff:192.0.2.1`) is `192.0.2.1`. Cut off,
 * because a proxy may pass on anything in place of an address.
 */
function plainAddress(ip: string | undefined): string {
  return (ip ?? 'unknown').slice(0, MAX_ADDRESS).replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
