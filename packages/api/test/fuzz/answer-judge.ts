import { closedDescription } from '@sluice/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/openapi/openapi-shape.ts';
import { responseOf } from './operations.ts';
import type { RawAnswer } from './raw-exchange.ts';

/** An answer, and what was asked. */
export interface Exchange {
  readonly method: string;
  /** The path in the document; null for a target that the document has no path for. */
  readonly path: string | null;
  readonly answer: RawAnswer;
}

/** Refusals of what never became a request. */
const ofTheTransport = new Set(['malformed_request', 'headers_too_large']);

/** Says what is wrong with an answer by the document; null when nothing is. */
export function answerJudge(document: OpenApiDocument): (exchange: Exchange) => string | null {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...closedDescription(document) });
  const validators = new Map<string, ValidateFunction>();
  const faultsOf = (pointer: string, value: unknown): string | null => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    validators.set(pointer, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
  const errorFault = (value: unknown) => faultsOf('/components/schemas/Error', value);

  return ({ method, path: asked, answer }) => {
    const path = asked === null ? null : servedBy(document, { method, path: asked });
    const { status, headers, text } = answer;
    const type = headers.get('content-type')?.split(';', 1)[0] ?? null;
    const isHead = method === 'HEAD';
    // What the parser refuses has no method that anybody knows of.
    const parsed = type === 'application/json' && !(isHead && text === '') ? parseJson(text) : null;
    if (parsed === NO_JSON) return 'the body is said to be JSON and is none';
    if (status >= 400 && !isHead && !(type === 'text/html' && hasPage(document, { method, path, status }))) {
      const fault = errorFault(parsed);
      if (fault !== null) return `an error without its body: ${fault}`;
    }
    if (status === 500 || status === 501) return 'something failed on the server';
    const { code } = (parsed ?? {}) as { code?: string };
    if (code !== undefined && ofTheTransport.has(code)) return null;
    if (!headers.has('x-request-id')) return 'the answer has no X-Request-Id';
    if (headers.get('cache-control') === undefined) return 'nothing says whether the answer may be kept';

    const methods = path === null ? undefined : document.paths[path];
    if (path === null || methods === undefined) return status < 500 ? null : `a ${status} of no operation`;
    const operation = methods[isHead ? 'get' : method.toLowerCase()];
    if (operation === undefined || method !== method.toUpperCase()) {
      if (status === 405) return headers.has('allow') ? null : 'a 405 without Allow';
      // A foreign origin is refused before it is looked where the request goes.
      return status === 403 || (method === 'OPTIONS' && status === 204) ? null : `${status} for an unknown method`;
    }
    const described = operation.responses[String(status)];
    if (described === undefined) return `the document has no ${status} here`;
    const response = responseOf(document, described);
    if (isHead) return text === '' ? null : 'HEAD has a body';
    const media = Object.keys(response.content ?? {});
    if (media.length === 0) return text === '' ? null : 'there is a body where the document has none';
    if (type === null || !media.includes(type)) return `the body is ${type}, where the document has ${media.join()}`;
    if (parsed === null) return null;
    const here = ['paths', path, method.toLowerCase(), 'responses', String(status)];
    const where = described.$ref === undefined ? here : described.$ref.split('/').slice(1);
    return faultsOf([...where, 'content', type, 'schema'].map((one) => `/${pointerPart(one)}`).join(''), parsed);
  };
}

/** Another path with braces, where that one takes the method: `GET /api/issues/import` reads the issue `import`. */
function servedBy({ paths }: OpenApiDocument, { method, path }: { method: string; path: string }): string {
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  if (paths[path]?.[wanted] !== undefined) return path;
  const matches = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return Object.keys(paths).find((other) => paths[other]?.[wanted] !== undefined && matches(other)) ?? path;
}

/** Whether the document has a page for browsers there, which says what is wrong instead of the usual body. */
function hasPage(
  document: OpenApiDocument,
  { method, path, status }: { method: string; path: string | null; status: number },
): boolean {
  const described = document.paths[path ?? '']?.[method.toLowerCase()]?.responses[String(status)];
  return described !== undefined && 'text/html' in (responseOf(document, described).content ?? {});
}

const NO_JSON = Symbol('no JSON');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}

/** A part of a JSON pointer in the fragment of a URI. */
function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
