import type { TokenScope } from '@sluice/core/access';
import type { ErrorCode } from '@sluice/core/error';
import type { RateLimitName } from '@sluice/core/request';
import type { OpenApiMeta } from 'trpc-to-openapi';

type Rest = NonNullable<OpenApiMeta['openapi']>;

/** Another form of a procedure's output, for clients that ask for it by `Accept`. */
export interface TextForm {
  readonly type: 'text/html' | 'text/plain' | 'text/x-diff' | 'text/csv' | 'application/x-ndjson';
  readonly description: string;
  /** The text of one output. */
  readonly text: (output: never) => string;
  /** Headers that replace the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The input of the next page; null at the end. */
  readonly next?: (output: never) => Readonly<Record<string, unknown>> | null;
}

/** A file as the answer. */
export interface FileForm {
  readonly types: readonly string[];
  readonly toFile: (output: never) => {
    readonly type: string;
    readonly content: Buffer;
    /** The header `Content-Disposition`. */
    readonly disposition: string;
  };
}

/** Statuses of answers without a body. */
const bodiless: ReadonlySet<RouteMeta['status']> = new Set([202, 204, 302]);

/** Whether success is answered without a body. */
export function answersWithoutBody({ status }: Pick<RouteMeta, 'status'>): boolean {
  return bodiless.has(status);
}

/** The rate limit that a route counts against. */
export function rateLimitOf({ limit, session, openapi }: RouteMeta): RateLimitName | undefined {
  if (limit === 'none') return undefined;
  if (limit !== undefined) return limit;
  return session === true && openapi !== undefined && openapi.method !== 'GET' ? 'mutation' : undefined;
}

/** A procedure's declaration: its place in REST, who may call it and how often, and how it answers. */
export interface RouteMeta extends Record<string, unknown> {
  /** `operationId`: only where the procedure has another name. Generated clients call the operation by it, so it stays. */
  readonly openapi?: Rest & { summary: string; tags: string[] };
  /** The place of a subscription in REST, which trpc-to-openapi does not support. */
  readonly sse?: {
    path: `/${string}`;
    summary: string;
    description: string;
    tags: string[];
    /** The parameter `after`. */
    resume: { schema: Readonly<Record<string, unknown>>; description: string };
    /** The events: a description, the named schema of each `data`, and an example as sent. */
    sends: { description: string; schema: 'WatchedEvent' | 'FollowedEvent'; example: string };
    /** The meaning of a 204; absent where the stream never ends by itself. */
    end?: string;
  };
  /** Whether a session, or a token, is needed. Set by `userProcedure`, `scopedProcedure` and `publicProcedure`. */
  readonly session?: boolean | undefined;
  /**
   * The API tokens that may call it; absent: none, it needs a session. `reach`: whether a token of one repository will do. Set by
   * `scopedProcedure`.
   */
  readonly token?: { readonly scope: TokenScope; readonly reach: 'repo' | 'account' } | undefined;
  /**
   * Its rate limit. Mutations with a session have a general limit by default (`rateLimitOf`). `none` is for procedures that
   * must work while a thief uses up that limit with a stolen session.
   */
  readonly limit?: RateLimitName | 'none';
  /** Whether it may be called before a second factor was enrolled, where one is required. */
  readonly whileEnrolling?: true;
  /** Whether the body may be left out; for the document. */
  readonly bodyOptional?: true;
  /** The status of success, where it is not 200. */
  readonly status?: 201 | 202 | 204 | 302;
  /** Whether the answer carries an `ETag` and honours `If-None-Match`. */
  readonly etag?: boolean;
  /** Whether an `Idempotency-Key` is honoured. */
  readonly idempotent?: true;
  /** Additional headers of a success, by name, with their descriptions; for the document. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: TextForm;
  /** The form of its output over REST, where that is a file. */
  readonly file?: FileForm;
  /** Whether it takes a file: its body may be `MAX_UPLOAD_BYTES`, and few are in memory at once. */
  readonly upload?: true;
  /** Codes of refusals besides those that follow from the route's shape; the most telling of a status first. */
  readonly refusals?: readonly ErrorCode[];
  /** An example of a request, for the document. */
  readonly example?: { readonly body: unknown };
}
