import type { ConnectionErrorCode } from './sluice-error.ts';

interface Fault {
  readonly code: ConnectionErrorCode;
  readonly detail: string;
}

const CERTIFICATE =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF))/;

const sentences: Readonly<Record<string, (origin: string) => string>> = {
  ECONNREFUSED: (origin) => `Nobody listens at ${origin}: is the server running, and is this its address?`,
  ENOTFOUND: (origin) => `The name in ${origin} is unknown: check the address.`,
  EAI_AGAIN: (origin) => `The name in ${origin} could not be looked up: check the network.`,
  EHOSTUNREACH: (origin) => `There is no way to ${origin}: check the network.`,
  ENETUNREACH: (origin) => `There is no way to ${origin}: check the network.`,
  ERR_SSL_WRONG_VERSION_NUMBER: (origin) => `${origin} does not speak https: is it http://?`,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: (origin) => `${origin} does not speak https: is it http://?`,
};

/** In plain words, why a server could not be spoken to. */
export function connectionFault(error: unknown, origin: string, timeoutMs: number): Fault {
  const chain = causes(error);
  if (chain.some(({ name }) => name === 'TimeoutError')) {
    return { code: 'timeout', detail: `${origin} did not answer within ${timeoutMs / 1_000} seconds.` };
  }
  if (chain.some(({ name }) => name === 'SyntaxError')) {
    return { code: 'unexpected_answer', detail: `What answers at ${origin} is no Sluice server: check the address.` };
  }
  const codes = chain.flatMap((one) => (typeof one.code === 'string' ? [one.code] : []));
  const certificate = codes.find((code) => CERTIFICATE.test(code));
  if (certificate !== undefined) {
    const detail = `The certificate of ${origin} is not to be trusted (${certificate}); NODE_EXTRA_CA_CERTS names further authorities.`;
    return { code: 'certificate_refused', detail };
  }
  const known = codes.find((code) => Object.hasOwn(sentences, code));
  const said = known === undefined ? undefined : sentences[known]?.(origin);
  const why = codes.at(-1) ?? chain.at(-1)?.message ?? 'no reason given';
  return { code: 'unreachable', detail: said ?? `The connection to ${origin} failed (${why}).` };
}

/** An error and what caused it, outermost first; of several addresses that were tried, the first one's. */
function causes(error: unknown): { name?: string; message?: string; code?: unknown }[] {
  const chain: (Error & { code?: unknown; errors?: unknown[] })[] = [];
  for (let at = error; at instanceof Error && chain.length < 10; ) {
    const one = at as Error & { code?: unknown; errors?: unknown[] };
    chain.push(one);
    at = one.cause ?? one.errors?.[0];
  }
  return chain;
}
