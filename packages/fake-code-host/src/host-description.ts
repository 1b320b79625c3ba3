import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { matchRoute } from './http/host-call.ts';

type Json = Record<string, unknown>;

/** The provider's own description of its API (OpenAPI 3.0), as far as answers go. */
export interface HostDescription {
  /**
   * The faults of an answer by the description; empty when there are none.
   *
   * @returns null when the description does not have that path, or that status
   */
  problems(answer: { method: string; path: string; status: number; body: unknown }): readonly string[] | null;
}

export function judgeByDescription(description: Json): HostDescription {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'host', ...(withNulls(description) as Json) });
  const compiled = new Map<string, ValidateFunction>();
  const templates = Object.keys(description.paths as Json);
  return {
    problems: ({ method, path, status, body }) => {
      const asRoute = (template: string) => template.replaceAll(/\{([^}]+)\}/g, ':$1');
      const fitting = templates.filter((template) => matchRoute(asRoute(template), path) !== null);
      // `/issues/comments/{id}` before `/issues/{number}/comments`: the one with fewer places to fill in.
      const [template] = fitting.toSorted((a, b) => a.split('{').length - b.split('{').length);
      if (template === undefined) return null;
      const pointer = schemaPointer(description, [template, method.toLowerCase(), String(status)]);
      if (pointer === null) return null;
      const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `host${pointer}` });
      compiled.set(pointer, validate);
      if (validate(body)) return [];
      return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    },
  };
}

function schemaPointer(description: Json, [template, method, status]: [string, string, string]): string | null {
  const escaped = template.replaceAll('/', '~1');
  const parts = ['paths', escaped, method, 'responses', status];
  const response = resolve(description, `#/${parts.join('/')}`);
  if (response === null) return null;
  const pointer = `${response.pointer}/content/application~1json/schema`;
  return resolve(description, pointer) === null ? null : pointer.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** What a pointer leads to, through references. */
function resolve(description: Json, pointer: string): { pointer: string; value: Json } | null {
  let value: unknown = description;
  for (const part of pointer.slice(2).split('/')) {
    value = (value as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (typeof value !== 'object' || value === null) return null;
  const { $ref } = value as Json;
  return typeof $ref === 'string' ? resolve(description, $ref) : { pointer, value: value as Json };
}

/** JSON Schema has no `nullable`: what may be null is one of two. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, example: _, examples: __, ...rest } = value as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, withNulls(part)]));
  return nullable === true ? { anyOf: [{ type: 'null' }, inner] } : inner;
}
