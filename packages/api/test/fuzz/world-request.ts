/** The caller: anonymous, the owner of one of everything, or another user. */
export type Asker = 'anonymous' | 'owner' | 'other';

export type RequestHeaders = readonly (readonly [name: string, value: string])[];

export interface RequestBody {
  readonly text: string;
  readonly encoding: 'utf8' | 'latin1' | 'utf16le';
}

/** A request as it goes over the wire, but that «…» still names something of the world. */
export interface WorldRequest {
  readonly as: Asker;
  readonly method: string;
  /** A text goes as it is; one in a `fill` is filled in, and then escaped as a client would have done it. */
  readonly target: readonly (string | { readonly fill: string })[];
  /** Whether that is left undone. */
  readonly unescaped: boolean;
  readonly headers: RequestHeaders;
  readonly body: RequestBody | null;
  /** The things that the caller may have used up by it, besides those that it names. */
  readonly spends: { readonly session: boolean; readonly link: boolean };
}

/** Whether an operation of that path may end sessions, or accounts. */
export function endsSessions(path: string): boolean {
  return path.startsWith('/api/auth/') || path.startsWith('/api/admin/users/');
}
