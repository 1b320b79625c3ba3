import { AppError } from '@sluice/core';

const MAX_BYTES = 256 * 1_024; // an account or a grant is a few kilobytes

/** How long a call to the provider may take, its body included. */
export interface ProviderPatience {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Makes a call and reads its whole answer, in bounded time and memory. A redirect is an answer like another: whoever
 * followed it would carry a secret to wherever it points.
 *
 * @throws AppError `codehost_unavailable`; the reason of `signal` when that ends it
 */
export async function askProvider(
  url: string,
  init: RequestInit,
  { timeoutMs, signal }: ProviderPatience,
): Promise<Response> {
  signal.throwIfAborted();
  const time = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any([signal, time]) });
    const bytes = await readBody(response);
    return new Response(bytes.length === 0 ? null : bytes, {
      status: response.status,
      headers: plainHeaders(response),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    const detail = time.aborted ? `The code host did not answer within ${timeoutMs / 1_000} seconds.` : undefined;
    throw new AppError('codehost_unavailable', detail === undefined ? {} : { detail }, { cause: error });
  }
}

async function readBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > MAX_BYTES)
      throw new AppError('codehost_unavailable', { detail: 'The answer of the code host is too large.' });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What says how the body is to be read; its encoding is undone already. */
function plainHeaders({ headers }: Response): Headers {
  const plain = new Headers();
  for (const name of ['content-type', 'www-authenticate']) {
    const value = headers.get(name);
    if (value !== null) plain.set(name, value);
  }
  return plain;
}
