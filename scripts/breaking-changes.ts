import type { OpenApiDocument } from '../packages/api/src/index.ts';

/** The parts of JSON Schema that the document is written with. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly contentSchema?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly [bound: string]: unknown;
}

type Operation = OpenApiDocument['paths'][string][string];
type Response = Operation['responses'][string];
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

const upperBounds = ['maxLength', 'maximum', 'maxItems', 'exclusiveMaximum'] as const;
const lowerBounds = ['minLength', 'minimum', 'minItems', 'minProperties', 'exclusiveMinimum'] as const;

/**
 * The breaking changes between two documents for a program written by the first: its requests must still be accepted,
 * and the members that it reads must still be there. A new word among those that an answer may say is no breach:
 * programs have to pass over words that they do not know.
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, was]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const is = after.paths[path]?.[method];
      if (is === undefined) return [`${name} is gone`];
      const told = [
        ...(is.operationId === was.operationId ? [] : [`its operationId ${was.operationId} is ${is.operationId} now`]),
        ...ofRequest({ giver: before, taker: after, isAnswer: false }, was, is),
        ...ofAnswers({ giver: after, taker: before, isAnswer: true }, was, is),
      ];
      return told.map((one) => `${name}: ${one}`);
    }),
  );
}

/** Two documents, of which what the one gives has to be what the other takes. */
interface Sides {
  readonly giver: OpenApiDocument;
  readonly taker: OpenApiDocument;
  /** An answer may have more members and more words than were promised. */
  readonly isAnswer: boolean;
}

function ofRequest(sides: Sides, was: Operation, is: Operation): string[] {
  const told: string[] = [];
  if (was.security.length === 0 && is.security.length > 0) told.push('it needs a session now');
  const parameters = (operation: Operation) => (operation.parameters ?? []) as unknown as Parameter[];
  const find = (all: Parameter[], one: Parameter) =>
    all.find((other) => other.in === one.in && other.name === one.name);
  for (const parameter of parameters(was)) {
    const now = find(parameters(is), parameter);
    const name = `${parameter.in} ${parameter.name}`;
    if (now === undefined) told.push(`${name} is not taken any more`);
    else told.push(...narrower(sides, [parameter.schema, now.schema], name));
  }
  for (const parameter of parameters(is)) {
    const isNew = find(parameters(was), parameter)?.required !== true;
    if (parameter.required === true && isNew) told.push(`${parameter.in} ${parameter.name} is required now`);
  }
  if (is.requestBody?.required === true && was.requestBody?.required !== true) told.push('a body is required now');
  const [sent, taken] = [was, is].map((one) => one.requestBody?.content['application/json']?.schema as Schema);
  if (sent !== undefined && taken === undefined) told.push('no body is taken any more');
  if (sent !== undefined && taken !== undefined) told.push(...narrower(sides, [sent, taken], 'body'));
  return told;
}

function ofAnswers(sides: Sides, was: Operation, is: Operation): string[] {
  return Object.entries(was.responses).flatMap(([status, described]) => {
    const response = shared(sides.taker, described);
    const now = is.responses[status] && shared(sides.giver, is.responses[status]);
    // A refusal that does not happen any more breaks nothing.
    if (now === undefined) return Number(status) < 400 ? [`it answers ${status} no more`] : [];
    const headers = Object.keys(response.headers ?? {}).filter((name) => now.headers?.[name] === undefined);
    const media = Object.entries(response.content ?? {}).flatMap(([type, { schema }]) => {
      const other = now.content?.[type];
      if (other === undefined) return [`${status} is not given as ${type} any more`];
      // The same question the other way round: the service gives, and the program takes.
      const [given, taken] = [other.schema, schema].map((one) => ofOneEvent((one ?? {}) as Schema));
      return narrower(sides, [given ?? {}, taken ?? {}], `${status} body`);
    });
    return [...headers.map((name) => `${status} has no ${name} any more`), ...media];
  });
}

/** A stream's schema is that of one event; it used to stand below that of the stream as text. */
function ofOneEvent(schema: Schema): Schema {
  return schema.contentSchema ?? schema;
}

/** Where the second schema does not take all that the first one gives. */
function narrower(sides: Sides, pair: readonly [Schema, Schema], at: string): string[] {
  const given = resolved(sides.giver, pair[0]);
  const taken = resolved(sides.taker, pair[1]);
  const types = typesOf(sides.taker, taken);
  const strange = typesOf(sides.giver, given).filter((type) => types.length > 0 && !types.includes(type));
  const told = strange.map((type) =>
    sides.isAnswer ? `${at} may be ${type} now` : `${at} may not be ${type} any more`,
  );
  if (!sides.isAnswer) told.push(...tighter(given, taken, at));

  for (const [from, to] of pairs(objectsIn(sides.giver, given), objectsIn(sides.taker, taken))) {
    told.push(...ofMembers(sides, [from, to], at));
  }
  if (given.items !== undefined && taken.items !== undefined) {
    told.push(...narrower(sides, [given.items, taken.items], `${at}[]`));
  }
  return told;
}

function ofMembers(sides: Sides, [from, to]: readonly [Schema, Schema], at: string): string[] {
  const missing = (to.required ?? []).filter((name) => !from.required?.includes(name));
  const members = Object.entries(from.properties ?? {}).flatMap(([name, schema]) => {
    const other = to.properties?.[name];
    if (other !== undefined) return narrower(sides, [schema, other], `${at}.${name}`);
    return sides.isAnswer ? [] : [`${at}.${name} is not taken any more`];
  });
  const isMissing = sides.isAnswer ? 'is not always there any more' : 'is required now';
  return [...missing.map((name) => `${at}.${name} ${isMissing}`), ...members];
}

/** Bounds and words of one value. */
function tighter(given: Schema, taken: Schema, at: string): string[] {
  const told: string[] = [];
  const number = (schema: Schema, bound: string, none: number) => Number(schema[bound] ?? none);
  for (const bound of upperBounds) {
    if (number(taken, bound, Infinity) < number(given, bound, Infinity)) told.push(`${at} has a lower ${bound}`);
  }
  for (const bound of lowerBounds) {
    if (number(taken, bound, -Infinity) > number(given, bound, -Infinity)) told.push(`${at} has a higher ${bound}`);
  }
  if (taken.pattern !== undefined && taken.pattern !== given.pattern) told.push(`${at} has another pattern`);
  const lost = taken.enum === undefined ? [] : (given.enum ?? []).filter((word) => !taken.enum?.includes(word));
  return [...told, ...lost.map((word) => `${at} may not be ${JSON.stringify(word)} any more`)];
}

/** A response, there or where it refers to. */
function shared({ components }: OpenApiDocument, response: Response): Response {
  return components.responses[response.$ref?.replace('#/components/responses/', '') ?? ''] ?? response;
}

/** A schema, there or where it refers to. Errors used to add their codes by an `allOf`. */
function resolved(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.map((one) => resolved(document, one));
    return {
      ...Object.assign({}, ...parts),
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required = [] }) => required),
    };
  }
  if (schema.$ref === undefined) return schema;
  return document.components.schemas[schema.$ref.replace('#/components/schemas/', '')] as Schema;
}

/** The types that a schema allows; a number may be whole. None: anything goes. */
function typesOf(document: OpenApiDocument, schema: Schema): string[] {
  const own = [schema.type ?? []].flat();
  const types = [...own, ...choicesOf(document, schema).flatMap((one) => typesOf(document, one))];
  return types.includes('number') ? [...types, 'integer'] : types;
}

function choicesOf(document: OpenApiDocument, { anyOf = [], oneOf = [] }: Schema): Schema[] {
  return [...anyOf, ...oneOf].map((one) => resolved(document, one));
}

/** The object that a schema is, and those that it may be. */
function objectsIn(document: OpenApiDocument, schema: Schema): Schema[] {
  const below = choicesOf(document, schema).flatMap((one) => objectsIn(document, one));
  return schema.properties === undefined ? below : [schema, ...below];
}

/**
 * The objects that stand for each other: those of the same `type`, or one for every type; otherwise the first of both. A new
 * type is like a new word.
 */
function pairs(given: readonly Schema[], taken: readonly Schema[]): [Schema, Schema][] {
  const typed = given.filter((one) => typeWord(one) !== undefined);
  const [from] = given;
  const [to] = taken;
  if (typed.length === 0) return from === undefined || to === undefined ? [] : [[from, to]];
  return typed.flatMap((one): [Schema, Schema][] => {
    const other = taken.find((candidate) => typeWords(candidate)?.includes(typeWord(one)) ?? true);
    return other === undefined ? [] : [[one, other]];
  });
}

const typeWord = ({ properties }: Schema): unknown => properties?.type?.const;

/** Undefined: any. */
function typeWords({ properties: { type } = {} }: Schema): readonly unknown[] | undefined {
  return type?.const === undefined ? type?.enum : [type.const];
}
