import type { ConnectionErrorCode } from './sluice-error.ts';

type Cause = Error & { readonly code?: unknown; readonly syscall?: unknown; readonly errors?: readonly unknown[] };

interface Fault {
  readonly code: ConnectionErrorCode;
  readonly detail: string;
}

const CERTIFICATE =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF))/;
// The session's file is read before a request, and written after it.
const DISK = /^(EACCES|EDQUOT|EIO|EISDIR|ELOOP|ENOSPC|ENOTDIR|EPERM|EROFS)$/;

const sentences: Readonly<Record<string, (origin: string) => string>> = {
  ECONNREFUSED: (origin) =>
    `The connection to ${origin} was refused. Check that the server is running and that the address is right.`,
  ENOTFOUND: (origin) => `The host name in ${origin} does not exist. Check the address.`,
  EAI_AGAIN: (origin) => `The host name in ${origin} could not be resolved. Check the network.`,
  EHOSTUNREACH: (origin) => `There is no route to ${origin}. Check the network.`,
  ENETUNREACH: (origin) => `There is no route to ${origin}. Check the network.`,
  ERR_SSL_WRONG_VERSION_NUMBER: (origin) =>
    `The server at ${origin} does not use TLS. Try http:// instead of https://.`,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: (origin) =>
    `The server at ${origin} does not use TLS. Try http:// instead of https://.`,
};

/** Explains why a request got no answer. */
export function connectionFault(error: unknown, origin: string, timeoutMs: number): Fault {
  const chain = causes(error);
  if (chain.some(({ name }) => name === 'TimeoutError')) {
    return { code: 'timeout', detail: `${origin} did not answer within ${timeoutMs / 1_000} seconds.` };
  }
  if (chain.some(({ name }) => name === 'SyntaxError')) {
    return {
      code: 'unexpected_answer',
      detail: `The answer from ${origin} is not from a Sluice server. Check the address.`,
    };
  }
  const codes = chain.flatMap((one) => (typeof one.code === 'string' ? [one.code] : []));
  const disk = chain.find(({ code, syscall }) => DISK.test(String(code)) && syscall !== 'connect');
  if (disk !== undefined) {
    return { code: 'unreachable', detail: `The session of ${origin} cannot be read or stored (${disk.message}).` };
  }
  const certificate = codes.find((code) => CERTIFICATE.test(code));
  if (certificate !== undefined) {
    const detail = `The certificate of ${origin} is not trusted (${certificate}). Set NODE_EXTRA_CA_CERTS to trust another authority.`;
    return { code: 'certificate_refused', detail };
  }
  const known = codes.find((code) => Object.hasOwn(sentences, code));
  const sentence = known === undefined ? undefined : sentences[known]?.(origin);
  const why = codes.at(-1) ?? chain.at(-1)?.message ?? 'no reason given';
  return { code: 'unreachable', detail: sentence ?? `The connection to ${origin} failed (${why}).` };
}

/** An error and its causes, outermost first; of several addresses that were tried, the first one's error. */
function causes(error: unknown): Cause[] {
  const chain: Cause[] = [];
  for (let at = error; at instanceof Error && chain.length < 10; ) {
    const one = at as Cause;
    chain.push(one);
    at = one.cause ?? one.errors?.[0];
  }
  return chain;
}
