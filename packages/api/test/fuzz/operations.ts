import type { OpenApiDocument, OpenApiOperation, OpenApiResponse } from '../../src/openapi/openapi-shape.ts';
import type { Schema } from './schema-values.ts';

/** An operation of the document, with what requests to it are made of. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly described: OpenApiOperation;
  readonly query: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly headers: readonly { readonly name: string; readonly required: boolean }[];
  readonly body: Schema | null;
}

/** Every operation that the document has. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const parameters = (described.parameters ?? []) as {
        in: string;
        name: string;
        required: boolean;
        schema: Schema;
      }[];
      return {
        method: method.toUpperCase(),
        path,
        described,
        query: parameters.filter((one) => one.in === 'query'),
        headers: parameters.filter((one) => one.in === 'header'),
        body: (described.requestBody?.content['application/json']?.schema as Schema | undefined) ?? null,
      };
    }),
  );
}

/** A response as it is described, there or where it refers to. */
export function responseOf({ components }: OpenApiDocument, response: OpenApiResponse): OpenApiResponse {
  if (response.$ref === undefined) return response;
  const shared = components.responses[response.$ref.replace('#/components/responses/', '')];
  if (shared === undefined) throw new Error(`The document has no ${response.$ref}.`);
  return shared;
}

/** The names in a path's braces. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
