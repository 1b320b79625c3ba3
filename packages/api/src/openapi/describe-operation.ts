import { answersWithoutBody } from '../procedure/route-meta.ts';
import type { Route } from '../rest/route-table.ts';
import { answerExamples, textExamples } from './answer-examples.ts';
import type { OpenApiHeader, OpenApiOperation, OpenApiResponse } from './openapi-shape.ts';
import { refusalResponses } from './refusal-responses.ts';

const header = (description: string): OpenApiHeader => ({ description, schema: { type: 'string' } });
const headerParameter = (name: string, description: string) => ({
  in: 'header',
  name,
  description,
  required: false,
  schema: { type: 'string' },
});

const idempotencyKey = {
  ...headerParameter(
    'Idempotency-Key',
    'Names the request, so that it can be sent again without being carried out again: for 24 hours the same key and the same body give the first answer again, or wait for it. Another body is a 409. What was refused can be sent again.',
  ),
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
};

/** An operation as it really answers, from the one that was generated, which knows of status 200 and JSON alone. */
export function describeOperation(route: Route, generated: OpenApiOperation): OpenApiOperation {
  const { meta } = route;
  const { requestBody, parameters, responses, ...rest } = generated;
  const extra = [
    ...(meta.etag === true ? [headerParameter('If-None-Match', 'Answers 304 when the issue is unchanged.')] : []),
    ...(meta.idempotent === true ? [idempotencyKey] : []),
  ];
  const allParameters = [...(parameters ?? []), ...extra];
  const body = trueBody(route, requestBody);
  return {
    ...rest,
    security: meta.session === true ? [{ session: [] }] : [],
    ...(allParameters.length === 0 ? {} : { parameters: allParameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...success(route, responses['200']), ...refusalResponses(route) },
  };
}

/** A stream as an operation; the generator refuses those. */
export function describeStream(route: Route): OpenApiOperation {
  const { sse } = route.meta;
  if (sse === undefined) throw new Error(`${route.name} is no stream.`);
  const { summary, description, tags, resume, sends, end } = sse;
  return {
    operationId: route.name.replace('.', '-'),
    summary,
    description,
    tags,
    security: [{ session: [] }],
    parameters: [
      ...route.params.map((name) => ({ in: 'path', name, required: true, schema: { type: 'string' } })),
      { in: 'query', name: 'after', required: false, ...resume },
      headerParameter('Last-Event-ID', 'What a browser sends when it reconnects; goes before `after`.'),
    ],
    responses: {
      '200': {
        description: sends.description,
        headers: { 'X-Request-Id': header('Names the request.') },
        content: {
          'text/event-stream': {
            schema: { type: 'string', contentMediaType: 'text/event-stream', contentSchema: sends.schema },
            example: sends.example,
          },
        },
      },
      ...(end === undefined ? {} : { '204': { description: end } }),
      ...refusalResponses(route),
    },
  };
}

/** No body is described where none is taken; unknown members are refused, and that is said. */
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
    'X-Request-Id': header('Names the request.'),
    ...(meta.etag === true ? { ETag: header('Names this state of the issue.') } : {}),
    ...(meta.idempotent === true
      ? { 'Idempotency-Replayed': header('`true` on an answer that was given before.') }
      : {}),
    ...Object.fromEntries(named),
  };
  if (answersWithoutBody(meta)) return { [String(status)]: { description: descriptionOf(status), headers } };
  const example = exampleOf(answerExamples, route);
  const content = { ...generated?.content };
  content['application/json'] = { ...content['application/json'], example };
  if (meta.text !== undefined) {
    const schema = { type: 'string', description: meta.text.description };
    content[meta.text.type] = { schema, example: exampleOf(textExamples, route) };
  }
  return {
    [String(status)]: { description: descriptionOf(status), headers, content },
    ...(meta.etag === true ? { '304': { description: 'Unchanged.' } } : {}),
  };
}

/** @throws Error when nobody has written one, so that no operation goes without */
function exampleOf(examples: Readonly<Record<string, unknown>>, { name }: Route): unknown {
  const example = examples[name];
  if (example === undefined) throw new Error(`Write an example of what ${name} answers.`);
  return example;
}

function descriptionOf(status: number): string {
  if (status === 201) return 'Created.';
  return status === 202 ? 'Taken; what comes of it shows later.' : 'Done.';
}
