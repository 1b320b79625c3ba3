import { MAX_DELIVERY_BYTES } from '../webhook/read-delivery.ts';
import type { OpenApiOperation } from './openapi-shape.ts';
import { refusalResponses } from './refusal-responses.ts';

const header = (name: string, description: string) => ({
  in: 'header',
  name,
  description,
  required: true,
  schema: { type: 'string' },
});

/** The webhook in the document. Not generated, because it is not a procedure. */
export const webhookOperation: OpenApiOperation = {
  operationId: 'codehost-webhook',
  summary: 'Receive a signed webhook delivery',
  description: `For the code host, which is authenticated by the signature; sessions are ignored. At most ${MAX_DELIVERY_BYTES / 1_048_576} MiB. The subject of the delivery is synced later; deliveries of unknown kinds are accepted and ignored. 409 where no code host or no \`CODEHOST_WEBHOOK_SECRET\` is configured.`,
  tags: ['codehost'],
  security: [],
  parameters: [
    header('X-Hub-Signature-256', '`sha256=` and the HMAC of the body under `CODEHOST_WEBHOOK_SECRET`, in hex.'),
    header('X-GitHub-Event', 'The kind of event.'),
    header('X-GitHub-Delivery', 'Identifies the delivery: each is processed once.'),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: { type: 'object' }, example: { zen: 'Keep it logically awesome.', hook_id: 1 } },
    },
  },
  responses: {
    '200': { description: 'This delivery was received before.' },
    '202': { description: 'Accepted for later processing.' },
    ...refusalResponses([
      'malformed_request',
      'delivery_unsigned',
      'codehost_not_configured',
      'codehost_webhook_not_configured',
      'body_too_large',
      'media_type_unsupported',
      'internal',
      'not_ready',
    ]),
  },
};
