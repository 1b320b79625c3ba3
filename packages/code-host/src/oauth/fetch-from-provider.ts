import { AppError } from '@sluice/core/error';

const MAX_BYTES = 256 * 1_024; // an account or a token response is a few kilobytes

/** Limits of a request to the provider, including its body. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and reads the whole response, in bounded time and memory. Redirects are returned and not followed, because
 * that could send a secret to another host.
 *
 * @throws AppError `codehost_unavailable`; the reason of `signal` when that ends it
 */
export async function fetchFromProvider(
  url: string,
  init: RequestInit,
  { timeoutMs, signal }: RequestLimits,
): Promise<Response> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    // house-rule(host-names): the operator names the code host
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any([signal, deadline]) });
    const bytes = await readBody(response);
    return new Response(bytes.length === 0 ? null : bytes, {
      status: response.status,
      headers: plainHeaders(response),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    const detail = deadline.aborted ? `The code host did not respond within ${timeoutMs / 1_000} seconds.` : undefined;
    throw new AppError('codehost_unavailable', detail === undefined ? {} : { detail }, { cause: error });
  }
}

async function readBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > MAX_BYTES)
      throw new AppError('codehost_unavailable', { detail: "The code host's response is too large." });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The headers that describe the body, which is already decoded. */
function plainHeaders({ headers }: Response): Headers {
  const plain = new Headers();
  for (const name of ['content-type', 'www-authenticate']) {
    const value = headers.get(name);
    if (value !== null) plain.set(name, value);
  }
  return plain;
}
