import { type OpenApiDocument, openApiDocument } from '../packages/api/src/index.ts';
import { printNotes, printReference, printSchema } from './print-schema.ts';

type Operation = OpenApiDocument['paths'][string][string];
type Response = Operation['responses'][string];
type Content = NonNullable<Response['content']>;
type Schemas = OpenApiDocument['components']['schemas'];

/** Renders `docs/signatures.md`: a change of the interface is a change of a line. */
export function printSignaturesPage(): string {
  const { operations, responses, schemas } = signaturesOf(openApiDocument());
  return `<!-- Generated from the routes by "npm run gen". -->

# Signatures

Every operation and schema of [openapi.json](openapi.json) on one line, without prose and examples: for reviews, as a change of the
interface shows here as a change of a line. \`a?\` may be missing, \`...\` stands for members that are not named, and what a type
alone does not say follows in round brackets. A status of an error has the codes of its \`Error\` or \`Problem\`.
[endpoints.md](endpoints.md) says what each operation does.

## Operations

${block(operations)}

## Shared responses

${block(responses)}

## Schemas

${block(schemas)}
`;
}

/** A line for each part of the document: a change of a part changes its line, except that of prose and of examples. */
export function signaturesOf({ paths, components }: OpenApiDocument) {
  const { schemas, responses, securitySchemes } = components;
  return {
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => printOperation(`${method.toUpperCase()} ${path}`, one, schemas)),
    ),
    responses: Object.entries(responses).map(([name, one]) => `${name}: ${printResponse(one, schemas)}`),
    schemas: [
      ...Object.entries(schemas).map(([name, one]) => `${name} = ${printSchema(one)}`),
      ...Object.entries(securitySchemes).map(([name, one]) => `security ${name}${printNotes(one as Schemas)}`),
    ],
  };
}

function block(lines: readonly string[]): string {
  return ['```text', ...lines, '```'].join('\n');
}

function printOperation(request: string, operation: Operation, schemas: Schemas): string {
  const {
    operationId,
    summary: _,
    description: __,
    tags,
    security,
    parameters,
    requestBody,
    responses,
    ...rest
  } = operation;
  const callers = security.flatMap((one) =>
    Object.entries(one).map(([scheme, scopes]) => [scheme, ...scopes].join(' ')),
  );
  const taken = [
    ...(parameters ?? []).map(printParameter),
    ...(requestBody === undefined ? [] : [printBody(requestBody)]),
  ];
  const answers = Object.entries(responses).map(([status, one]) => `${status} ${printResponse(one, schemas)}`.trim());
  return [
    `${request} ${operationId} #${tags.join(' #')} (${callers.join(' | ') || 'open'})${printNotes(rest)}`,
    ...(taken.length === 0 ? [] : [taken.join(', ')]),
    answers.join(' / '),
  ].join(' -> ');
}

function printParameter(parameter: Record<string, unknown>): string {
  const { in: place, name, required, schema, ...rest } = parameter;
  return `${place} ${name}${required === true ? '' : '?'}: ${printSchema(schema)}${printNotes(rest)}`;
}

function printBody({ required, content, ...rest }: NonNullable<Operation['requestBody']>): string {
  return `body${required === true ? '' : '?'}: ${printContent(content)}${printNotes(rest)}`;
}

function printResponse(response: Response, schemas: Schemas): string {
  const { $ref, description: _, headers = {}, content, ...rest } = response;
  const parts = [
    ...($ref === undefined ? [] : [printReference($ref)]),
    ...(content === undefined ? [] : [printCodes(content, schemas) ?? printContent(content)]),
    ...Object.entries(headers).map(([name, { schema, ...others }]) =>
      `+${name}: ${printSchema(schema)}${printNotes(others)}`.replace(/: string$/, ''),
    ),
  ];
  return parts.join(' ') + printNotes(rest);
}

function printContent(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema, ...rest }]) => {
      const media = type === 'application/json' ? '' : `${type} `;
      return `${media}${printSchema(schema)}${printNotes(rest)}`;
    })
    .join(' or ');
}

/** The codes of an error, when it is the shared one in both of its media types apart from these. */
function printCodes(content: Content, schemas: Schemas): string | null {
  const [error, problem, ...others] = Object.entries(content);
  if (error?.[0] !== 'application/json' || problem?.[0] !== 'application/problem+json' || others.length > 0)
    return null;
  const codes = codesOf(error[1].schema, schemas.Error);
  return codes !== null && codes === codesOf(problem[1].schema, schemas.Problem) ? codes : null;
}

/** The codes that a schema has in place of those of the shared one; null when it differs from that in more than the codes. */
function codesOf(schema: unknown, shared: unknown): string | null {
  const { properties: { code } = {} } = schema as { properties?: Record<string, unknown> };
  const { properties, ...rest } = shared as { properties: Record<string, unknown> };
  const same = printSchema({ ...rest, properties: { ...properties, code } });
  const { enum: codes, ...others } = (code ?? {}) as { enum?: readonly string[] };
  if (codes === undefined || printSchema(schema) !== same || printSchema(others) !== 'string') return null;
  return codes.join(' | ');
}
