import { AppError, type ErrorCode } from '@sluice/core/error';
import { z } from 'zod';
import { graphRefusal } from './host-failure.ts';
import type { HostSession } from './host-session.ts';

/** A document of the host's GraphQL API, for what its REST API cannot do. */
export interface GraphRequest<T> {
  readonly document: string;
  readonly variables: Readonly<Record<string, string | number | null>>;
  readonly schema: z.ZodType<T>;
  /** Whether it changes something at the host. */
  readonly writes: boolean;
}

const fault = z.object({ type: z.string().nullish(), message: z.string() });
const answer = z.object({ data: z.unknown(), errors: z.array(fault).nullish() });

/** The codes of errors that come with status 200. Any other is a document or a value that the host does not take. */
const codes: Readonly<Record<string, ErrorCode>> = {
  NOT_FOUND: 'codehost_not_found',
  FORBIDDEN: 'codehost_forbidden',
  INSUFFICIENT_SCOPES: 'codehost_forbidden',
  INTERNAL: 'codehost_unavailable',
  SERVICE_UNAVAILABLE: 'codehost_unavailable',
};

/**
 * Sends a GraphQL query and returns its parsed data.
 *
 * @throws AppError of the port's codes, also when only a part of the answer failed
 */
export async function askGraph<T>(host: HostSession, request: GraphRequest<T>): Promise<T> {
  const { document: query, variables, schema, writes } = request;
  const { data: read } = await host.send({
    route: 'POST /graphql',
    // Installations have it beside the versions of the REST API.
    parameters: { baseUrl: host.address.api.href.replace(/\/+$/, '').replace(/\/v3$/, ''), query, variables },
    reads: !writes,
    schema: answer,
  });
  const [first] = read.errors ?? [];
  if (first !== undefined) throw graphRefusal(codes[first.type ?? ''] ?? 'codehost_refused', first.message, host);
  const parsed = schema.safeParse(read.data);
  if (parsed.success) return parsed.data;
  throw new AppError('codehost_unavailable', { detail: "The code host's response is not in the expected format." });
}
