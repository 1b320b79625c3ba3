import type { Answer } from './forward-http.ts';

/** Converts a REST response to the tRPC response. */
export function toTrpcResponse({ status, headers, body }: Answer): Answer {
  const value = body.length === 0 ? undefined : JSON.parse(body.toString());
  const type: [string, string] = ['content-type', 'application/json'];
  return {
    status: status < 400 ? 200 : status,
    headers: [...headers.filter(([name]) => name !== 'content-type'), type],
    body: Buffer.from(JSON.stringify(status < 400 ? { result: { data: value } } : { error: refusal(status, value) })),
  };
}

function refusal(status: number, error: { readonly code: string; readonly detail: string }) {
  return { message: error.detail, code: -32_000, data: { code: error.code, httpStatus: status, error } };
}
