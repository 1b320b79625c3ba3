import type { HostToken } from '../state/token-book.ts';

/** A request that the host got. Secrets are not in it. */
export interface SeenRequest {
  readonly at: Date;
  readonly method: string;
  /** Without the API's prefix and without the query; a repository's git address without `.git`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The owner of the token that came with it; null: none, or one that the host does not know. */
  readonly tokenOwner: string | null;
  /** Whether it wants to change something at the host. */
  readonly write: boolean;
  /** The fields of a JSON or form body; null for git's. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly isConditional: boolean;
  readonly userAgent: string;
  /** The status of the answer; null while it is worked on, and where nothing could be answered. */
  status: number | null;
}

const secretFields = ['access_token', 'client_secret', 'code', 'code_verifier', 'refresh_token'];

function withoutSecrets(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secretFields.includes(name) ? '(secret)' : value]),
  );
}

export interface RequestParts {
  readonly at: Date;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: HostToken | null;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export function seenRequest(parts: RequestParts): SeenRequest {
  const { at, method, path, query, token, headers } = parts;
  const isFetch = path.endsWith('/git-upload-pack');
  return {
    at,
    method,
    path,
    query: Object.fromEntries(query),
    tokenOwner: token?.user.login ?? null,
    write: method !== 'GET' && method !== 'HEAD' && !isFetch,
    body: path.includes('/git-') ? null : withoutSecrets(parts.body),
    isConditional: headers['if-none-match'] !== undefined,
    userAgent: headers['user-agent'] ?? '',
    status: null,
  };
}
