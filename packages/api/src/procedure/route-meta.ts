import type { RateLimitName } from '@sluice/core';
import type { OpenApiMeta } from 'trpc-to-openapi';

type Rest = NonNullable<OpenApiMeta['openapi']>;

/** Another form of a procedure's output, for clients that ask for it by `Accept`. */
export interface TextForm {
  readonly type: 'text/html' | 'text/plain' | 'text/x-diff';
  readonly description: string;
  /** The text of one output. */
  readonly text: (output: never) => string;
  /** What it is sent with, in place of what every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What to ask for next to go on after this output; null at the end. */
  readonly next?: (output: never) => Readonly<Record<string, unknown>> | null;
}

/** Statuses that say all there is to say. */
const bodiless: ReadonlySet<RouteMeta['status']> = new Set([202, 204, 302]);

/** Whether success is answered by its status alone. */
export function answersWithoutBody({ status }: Pick<RouteMeta, 'status'>): boolean {
  return bodiless.has(status);
}

/** The rate limit that a route counts against. */
export function rateLimitOf({ limit, session, openapi }: RouteMeta): RateLimitName | undefined {
  if (limit === 'none') return undefined;
  if (limit !== undefined) return limit;
  return session === true && openapi !== undefined && openapi.method !== 'GET' ? 'mutation' : undefined;
}

/** What a procedure says of itself: where it stands in REST, who may call it, how often, and how it answers. */
export interface RouteMeta extends Record<string, unknown> {
  readonly openapi?: Rest & { summary: string; tags: string[] };
  /** The REST place of a subscription, which trpc-to-openapi does not know of. */
  readonly sse?: {
    path: `/${string}`;
    summary: string;
    description: string;
    tags: string[];
    /** What `after` is. */
    resume: { schema: Readonly<Record<string, unknown>>; description: string };
    /** What comes over it: in words, as a schema of each `data`, and as it looks on the wire. */
    sends: { description: string; schema: Readonly<Record<string, unknown>>; example: string };
    /** What a 204 says; left out where the stream never ends by itself. */
    end?: string;
  };
  /** Whether a session is needed. Set by `userProcedure` and `publicProcedure`. */
  readonly session?: boolean;
  /**
   * The rate limit of its own. A mutation of a session without one has the general one: `rateLimitOf`. `none` is for what
   * must work while somebody else uses up that limit with a stolen session.
   */
  readonly limit?: RateLimitName | 'none';
  /** Whether a body may be left out where one is taken; for the document. */
  readonly bodyOptional?: true;
  /** The status of success, where it is not 200. */
  readonly status?: 201 | 202 | 204 | 302;
  /** Whether the answer carries an `ETag` and honours `If-None-Match`. */
  readonly etag?: boolean;
  /** Whether it is carried out once for an `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Headers that success brings besides the usual ones, by name, with what they mean; for the document. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: TextForm;
  /** The statuses of refusal that the route has of itself; those that follow from its shape are added. */
  readonly refusals?: readonly number[];
  /** An example of what is sent, for the document. */
  readonly example?: { readonly body: unknown };
}
