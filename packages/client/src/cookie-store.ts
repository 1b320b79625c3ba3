/** A cookie as it is kept for one origin. */
export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  /** RFC 3339; null: as long as the store keeps it. */
  readonly expires_at: string | null;
}

/**
 * Where a client outside a browser keeps its cookies. It holds those of the one server that the client speaks to, and
 * is asked once, before the client's first call.
 */
export interface CookieStore {
  load(origin: string): readonly StoredCookie[] | Promise<readonly StoredCookie[]>;
  save(origin: string, cookies: readonly StoredCookie[]): void | Promise<void>;
}

/** Keeps cookies for the life of the process. */
export function memoryCookies(): CookieStore {
  const byOrigin = new Map<string, readonly StoredCookie[]>();
  return {
    load: (origin) => byOrigin.get(origin) ?? [],
    save: (origin, cookies) => void byOrigin.set(origin, cookies),
  };
}
