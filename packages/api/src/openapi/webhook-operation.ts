import { MAX_DELIVERY_BYTES } from '../webhook/read-delivery.ts';
import type { OpenApiOperation } from './openapi-shape.ts';
import { refusalsOf } from './refusal-responses.ts';

const header = (name: string, description: string) => ({
  in: 'header',
  name,
  description,
  required: true,
  schema: { type: 'string' },
});

/** The route of the code host's deliveries in the document: no procedure, so nothing generates it. */
export const webhookOperation: OpenApiOperation = {
  operationId: 'codehost-webhook',
  summary: 'Take a signed delivery of the code host',
  description: `For the code host alone, and known by the signature: no session is needed and none is looked at. At most ${MAX_DELIVERY_BYTES / 1_048_576} MiB. What the delivery tells of is looked at later, as it is then; deliveries of other kinds are taken and nothing comes of them. 409 where the operator has configured no code host or no \`CODEHOST_WEBHOOK_SECRET\`.`,
  tags: ['codehost'],
  security: [],
  parameters: [
    header('X-Hub-Signature-256', '`sha256=` and the HMAC of the body under `CODEHOST_WEBHOOK_SECRET`, in hex.'),
    header('X-GitHub-Event', 'What kind of event it tells of.'),
    header('X-GitHub-Delivery', 'Names the delivery: each is taken once.'),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: { type: 'object' }, example: { zen: 'Keep it logically awesome.', hook_id: 1 } },
    },
  },
  responses: {
    '200': { description: 'This delivery was taken before.' },
    '202': { description: 'Taken; what comes of it shows later.' },
    ...refusalsOf([
      [401, { detail: 'The signature of the webhook delivery is missing or wrong.', code: 'delivery_unsigned' }],
      [
        409,
        {
          detail: 'No webhook secret is configured. The operator can set CODEHOST_WEBHOOK_SECRET.',
          code: 'codehost_webhook_not_configured',
        },
      ],
      [
        413,
        {
          detail: `The delivery is larger than ${MAX_DELIVERY_BYTES / 1_048_576} MiB.`,
          code: 'body_too_large',
        },
      ],
      [415, { detail: 'Send the body as application/json.', code: 'media_type_unsupported' }],
      [503, { detail: 'The delivery could not be noted: send it again.', code: 'not_ready' }],
    ]),
  },
};
