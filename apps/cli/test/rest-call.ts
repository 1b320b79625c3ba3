interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Operation extends Described {
  readonly method: string;
  readonly path: string;
  readonly isStream: boolean;
}

export interface OperationBook {
  readonly all: readonly Operation[];
  named(operationId: string): Operation | null;
  at(method: string, pathname: string): Operation | null;
}

/** Reads the operations of an OpenAPI document. */
export function readOperations({ paths }: OpenApi): OperationBook {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const isStream = described.responses['200']?.content?.['text/event-stream'] !== undefined;
      return { ...described, method: method.toUpperCase(), path, isStream };
    }),
  );
  // `/issues/import` precedes `/issues/{id}`.
  const sorted = all.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  const served = sorted.map((one) => ({ one, path: new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  return {
    all,
    named: (operationId) => all.find((one) => one.operationId === operationId) ?? null,
    at: (method, pathname) => served.find(({ one, path }) => one.method === method && path.test(pathname))?.one ?? null,
  };
}

interface RestCall {
  readonly operationId: string;
  readonly method: string;
  readonly target: string;
  readonly body: string | null;
}

/** Turns a procedure's input into the documented request. A member that the document does not place is sent anyway. */
export function restCall(operation: Operation, input: Readonly<Record<string, unknown>>): RestCall {
  const { operationId, method, parameters = [], requestBody } = operation;
  const placeOf = (name: string) => parameters.find((one) => one.name === name)?.in;
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let { path } = operation;
  for (const [name, value] of Object.entries(input)) {
    if (placeOf(name) === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (placeOf(name) === 'query' || method === 'GET') {
      for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
    } else body[name] = value;
  }
  const isSent = requestBody !== undefined || Object.keys(body).length > 0;
  const target = query.size === 0 ? path : `${path}?${query}`;
  return { operationId, method, target, body: isSent ? JSON.stringify(body) : null };
}
