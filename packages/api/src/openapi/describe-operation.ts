import { answersWithoutBody, type RouteMeta } from '../procedure/route-meta.ts';
import { membersOf, type Route } from '../transport/rest/route-table.ts';
import { answerExamples, textExamples } from './answer-examples.ts';
import type { OpenApiHeader, OpenApiOperation, OpenApiResponse } from './openapi-shape.ts';
import { plainSchema } from './plain-schema.ts';
import { refusalCodes, refusalResponses } from './refusal-responses.ts';

const header = (description: string): OpenApiHeader => ({ description, schema: { type: 'string' } });
const headerParameter = (name: string, description: string) => ({
  in: 'header',
  name,
  description,
  required: false,
  schema: { type: 'string' },
});

/** What an answer with an `ETag` adds to an operation. */
export const tagged = {
  parameter: headerParameter('If-None-Match', 'Answers 304 when nothing has changed.'),
  headers: { ETag: header('Identifies this state.') },
  responses: { '304': { description: 'Unchanged.' } },
} as const;

const idempotencyKey = {
  ...headerParameter(
    'Idempotency-Key',
    'Identifies the request, so that a retry is not executed twice: for 24 hours the same key with the same body returns the first answer, or waits for it. Another body is a 409. A refused request can be sent again with its key.',
  ),
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
};

/** Corrects a generated operation, which only knows status 200 and JSON. */
export function describeOperation(route: Route, generated: OpenApiOperation): OpenApiOperation {
  const { meta } = route;
  const { requestBody, parameters, responses, ...rest } = generated;
  const extra = [
    ...(meta.etag === true ? [tagged.parameter] : []),
    ...(meta.idempotent === true ? [idempotencyKey] : []),
  ];
  const allParameters = plainSchema([...described(route, parameters ?? []), ...extra], { isAnswer: false });
  const body = plainSchema(trueBody(route, requestBody), { isAnswer: false });
  return {
    ...rest,
    security: securityOf(meta),
    ...(allParameters.length === 0 ? {} : { parameters: allParameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...success(route, responses['200']), ...refusalResponses(refusalCodes(route)) },
  };
}

/** The credentials that may be used. */
function securityOf({ session, token }: RouteMeta): OpenApiOperation['security'] {
  if (session !== true) return [];
  return token === undefined ? [{ session: [] }] : [{ session: [] }, { api_token: [token.scope] }];
}

type Parameters = NonNullable<OpenApiOperation['parameters']>;

/** The generator leaves out what is said of an optional member. */
function described({ input }: Route, parameters: Parameters): Parameters {
  const members = membersOf(input);
  return parameters.map((parameter) => {
    const description = members[String(parameter.name)]?.description;
    return description === undefined ? parameter : { ...parameter, description };
  });
}

/** Describes a stream, which the generator does not support. */
export function describeStream(route: Route): OpenApiOperation {
  const { sse } = route.meta;
  if (sse === undefined) throw new Error(`${route.name} is not a stream.`);
  const { summary, description, tags, resume, sends, end } = sse;
  return {
    operationId: route.name.replaceAll('.', '-'),
    summary,
    description,
    tags,
    security: securityOf(route.meta),
    parameters: [
      ...route.params.map((name) => ({
        in: 'path',
        name,
        description: 'UUID',
        required: true,
        schema: { type: 'string' },
      })),
      { in: 'query', name: 'after', required: false, ...resume },
      headerParameter('Last-Event-ID', 'Sent by browsers when they reconnect; takes precedence over `after`.'),
    ],
    responses: {
      '200': {
        description: `${sends.description}\n\n\`\`\`\n${sends.example.trimEnd()}\n\`\`\``,
        headers: { 'X-Request-Id': header('Identifies the request.') },
        content: {
          'text/event-stream': {
            // The schema of one event: generators read the type of a stream's items here. OpenAPI 3.1 has no other
            // place.
            schema: { $ref: `#/components/schemas/${sends.schema}` },
            example: firstEvent(sends.example),
          },
        },
      },
      ...(end === undefined ? {} : { '204': { description: end } }),
      ...refusalResponses(refusalCodes(route)),
    },
  };
}

/** @param text a stream, as sent */
function firstEvent(text: string): unknown {
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null');
}

/** Describes a body only where one is accepted, and that unknown members are refused. */
function trueBody(route: Route, body: OpenApiOperation['requestBody']): OpenApiOperation['requestBody'] {
  const media = body?.content['application/json'];
  if (body === undefined || media?.schema === undefined) return undefined;
  if (Object.keys(media.schema.properties ?? {}).length === 0) return undefined;
  const example = route.meta.example?.body;
  const schema = { ...media.schema, additionalProperties: false };
  return {
    required: route.meta.bodyOptional !== true,
    content: { 'application/json': { ...media, schema, ...(example === undefined ? {} : { example }) } },
  };
}

function success(route: Route, generated: OpenApiResponse | undefined): Record<string, OpenApiResponse> {
  const { meta } = route;
  const status = meta.status ?? 200;
  const named = Object.entries(meta.headers ?? {}).map(([name, description]) => [name, header(description)]);
  const headers: Record<string, OpenApiHeader> = {
    'X-Request-Id': header('Identifies the request.'),
    ...(meta.etag === true ? tagged.headers : {}),
    ...(meta.idempotent === true ? { 'Idempotency-Replayed': header('`true` on a repeated answer.') } : {}),
    ...Object.fromEntries(named),
  };
  if (answersWithoutBody(meta)) return { [String(status)]: { description: descriptionOf(status), headers } };
  if (meta.file !== undefined) {
    const files = meta.file.types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }] as const);
    return { [String(status)]: { description: 'The file.', headers, content: Object.fromEntries(files) } };
  }
  const example = exampleOf(answerExamples, route);
  const content = plainSchema({ ...generated?.content }, { isAnswer: true });
  content['application/json'] = { ...content['application/json'], example };
  if (meta.text !== undefined) {
    const schema = { type: 'string', description: meta.text.description };
    content[meta.text.type] = { schema, example: exampleOf(textExamples, route) };
  }
  return {
    [String(status)]: { description: descriptionOf(status), headers, content },
    ...(meta.etag === true ? tagged.responses : {}),
  };
}

/** @throws Error when the example is missing, so that no operation goes without */
function exampleOf(examples: Readonly<Record<string, unknown>>, { name }: Route): unknown {
  const example = examples[name];
  if (example === undefined) throw new Error(`Add an example of an answer of ${name}.`);
  return example;
}

function descriptionOf(status: number): string {
  if (status === 201) return 'Created.';
  return status === 202 ? 'Accepted for later processing.' : 'Done.';
}
