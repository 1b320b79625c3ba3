/** The response to a request: the body is whole before the first byte of it goes out, so that faults can act on it. */
export interface HostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

/** Ends the work on a request with that answer. */
export class HostRefusal extends Error {
  readonly answer: HostAnswer;

  constructor(answer: HostAnswer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

export function jsonAnswer(status: number, value: unknown, headers: HostAnswer['headers'] = {}): HostAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

export function htmlAnswer(status: number, html: string, headers: HostAnswer['headers'] = {}): HostAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: Buffer.from(`<!doctype html><html lang="en"><title>Code host</title><body>${html}</body></html>`),
  };
}

export function emptyAnswer(status: number, headers: HostAnswer['headers'] = {}): HostAnswer {
  return { status, headers, body: Buffer.alloc(0) };
}

/** The shape that the host gives errors of its API. */
export function errorAnswer(status: number, message: string, more: Record<string, unknown> = {}): HostAnswer {
  return jsonAnswer(status, {
    message,
    ...more,
    documentation_url: 'https://docs.github.com/rest',
    status: String(status),
  });
}

export function refuse(status: number, message: string, more: Record<string, unknown> = {}): never {
  throw new HostRefusal(errorAnswer(status, message, more));
}

export interface HostFieldError {
  readonly resource: string;
  readonly code: string;
  readonly field?: string;
  readonly message?: string;
}

export function refuseInvalid(...errors: HostFieldError[]): never {
  return refuse(422, 'Validation Failed', { errors });
}
