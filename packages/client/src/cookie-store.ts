/** A stored cookie of one origin. */
export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  /** RFC 3339; null: until the store forgets it. */
  readonly expires_at: string | null;
}

/** Stores the cookies of a client outside a browser. `load` is called once, before the client's first request. */
export interface CookieStore {
  load(origin: string): readonly StoredCookie[] | Promise<readonly StoredCookie[]>;
  save(origin: string, cookies: readonly StoredCookie[]): void | Promise<void>;
}

/** Stores cookies in memory, for the life of the process. */
export function memoryCookies(): CookieStore {
  const byOrigin = new Map<string, readonly StoredCookie[]>();
  return {
    load: (origin) => byOrigin.get(origin) ?? [],
    save: (origin, cookies) => void byOrigin.set(origin, cookies),
  };
}
