/** Asks for the addresses of one host name. */
export interface HostQuestion {
  /**
   * The account that chose the name, by its id, or the part of the service that read it in a response. Each owner has its own
   * turns, so that one with many slow names holds up no other.
   */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/**
 * Why a name has no address: it does not exist, no name server gave an answer, or too many look-ups were before it, most of them
 * its owner's own.
 */
export type UnresolvedReason = 'unknown' | 'no_answer' | 'too_many';

export type HostLookup =
  /** At least one address, IPv4 first. Whether they are allowed is the caller's question. */
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  | { readonly kind: 'unresolved'; readonly reason: UnresolvedReason };

/**
 * Resolves the host names that the operator did not write: those that users choose, and those in responses. A look-up ends
 * by itself within seconds, and the name servers of such a name can hold up no other. The operator's own hosts are resolved by
 * the system, with all sources that it is set to use.
 */
export interface HostResolver {
  /**
   * @param host a name, or an address, which is returned as it is
   * @throws the signal's reason
   */
  resolve(host: string, question: HostQuestion): Promise<HostLookup>;
}

const predicates: Readonly<Record<UnresolvedReason, string>> = {
  unknown: 'could not be resolved',
  no_answer: 'could not be resolved: no name server answered for it',
  too_many: 'was not looked up, because too many look-ups wait for name servers: try again in a few seconds',
};

/** The reason as a predicate of the name. */
export function renderUnresolved(reason: UnresolvedReason): string {
  return predicates[reason];
}
