import { expect, it } from 'vitest';
import { type OpenApiDocument, openApiDocument } from '../packages/api/src/index.ts';
import { signaturesOf } from './print-signatures.ts';

const document = openApiDocument();
const { Error: error, Problem: problem } = document.components.schemas;

type Json = Record<string, unknown>;

/** A document of one part, whose lines are few. */
function documentOf(parts: Partial<OpenApiDocument['components']>, paths: OpenApiDocument['paths'] = {}) {
  const schemas = { Error: error, Problem: problem, ...parts.schemas };
  return { ...document, paths, components: { responses: {}, securitySchemes: {}, ...parts, schemas } };
}

/** One document for each operation and component. */
function* parts(): Generator<{ name: string; part: OpenApiDocument; content: Json }> {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const content = structuredClone(operation);
      const name = `${method} ${path}`;
      yield { name, part: documentOf({}, { [path]: { [method]: content } }), content: content as unknown as Json };
    }
  for (const [kind, components] of Object.entries(document.components))
    for (const [name, component] of Object.entries(components)) {
      const content = structuredClone(component) as Json;
      yield { name: `${kind} ${name}`, part: documentOf({ [kind]: { [name]: content } }), content };
    }
}

const PROSE = ['summary', 'description', 'example', 'examples'];
/** The parts that every document has. */
const REQUIRED = ['tags', 'security', 'responses', 'content', 'schema'];

/** Parts that were changed before: many operations share an error or a parameter, word for word. */
const known = new Set<string>();

/** Calls back once for each change of one value or word that is not prose, while it is made. */
function eachChange(object: Json | unknown[], at: string, check: (change: string) => void): void {
  for (const [name, value] of Object.entries(object)) {
    const isNamed = /\/(properties|responses|headers|content)$/.test(at);
    if (PROSE.includes(name) && !isNamed) continue;
    const place = `${at}/${name}`;
    const holder = object as Json;
    if (typeof value === 'object' && value !== null) {
      const text = JSON.stringify(value);
      if (!known.has(text)) eachChange(value as Json, place, check);
      known.add(text);
      if (Array.isArray(object) || REQUIRED.includes(name) || Object.keys(value).length === 0) continue;
      delete holder[name];
      check(`no ${place}`);
    } else {
      holder[name] = typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}x`;
      check(`other ${place}`);
    }
    holder[name] = value;
  }
}

it('shows every change of an operation, a response or a schema on its line', () => {
  const unseen: string[] = [];
  let changes = 0;
  for (const { name, part, content } of parts()) {
    const before = JSON.stringify(signaturesOf(part));
    eachChange(content, '', (change) => {
      changes += 1;
      if (JSON.stringify(signaturesOf(part)) === before) unseen.push(`${name}: ${change}`);
    });
    expect(JSON.stringify(signaturesOf(part))).toBe(before);
  }
  expect(unseen).toEqual([]);
  expect(changes).toBeGreaterThan(5_000);
});
