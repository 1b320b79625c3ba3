import { askingPage, donePage } from '../notifications/unsubscribe-page.ts';
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
  description: `Called by the code host, which is authenticated by the signature; sessions are ignored. At most ${MAX_DELIVERY_BYTES / 1_048_576} MiB. The subject of the delivery is synced later; deliveries of unknown kinds are accepted and ignored. 409 where no code host or no \`CODEHOST_WEBHOOK_SECRET\` is configured.`,
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

/** Back-channel logout in the document. Not generated, because it is not a procedure. */
export const backchannelLogoutOperation: OpenApiOperation = {
  operationId: 'auth-backchannelLogout',
  summary: 'End the sessions of a logout at an OpenID provider',
  description:
    'Called by the provider (OpenID Connect Back-Channel Logout 1.0), which is authenticated by the signature of its token; sessions are ignored. Each token counts once, within two minutes of its `iat`. A `sid` ends the sessions of that session at the provider, a `sub` alone all sessions of the account that began there.',
  tags: ['oidc'],
  security: [],
  parameters: [
    {
      in: 'path',
      name: 'provider',
      description: 'The id of the provider.',
      required: true,
      schema: { type: 'string' },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: { logout_token: { type: 'string' } }, required: ['logout_token'] },
        example: { logout_token: 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' },
      },
    },
  },
  responses: {
    '200': { description: 'The sessions have ended, if there were any.' },
    ...refusalResponses([
      'oidc_logout_token_invalid',
      'malformed_request',
      'oidc_provider_not_found',
      'body_too_large',
      'internal',
      'oidc_unavailable',
      'not_ready',
    ]),
  },
};

const token = {
  in: 'query',
  name: 'token',
  description: 'The token from the link of an e-mail. It can turn the e-mails of its target off, and nothing else.',
  required: true,
  schema: { type: 'string' },
};

const common = { tags: ['notifications'], security: [], parameters: [token] };
const page = (example: string) => ({ 'text/html': { schema: { type: 'string' }, example } });
const refusals = refusalResponses(['unsubscribe_token_invalid', 'malformed_request', 'internal', 'not_ready']);

/** One-click unsubscribe in the document. Not generated, because it is not a procedure. */
export const unsubscribeOperations: { readonly get: OpenApiOperation; readonly post: OpenApiOperation } = {
  get: {
    ...common,
    operationId: 'notifications-askUnsubscribe',
    summary: 'Show the page that turns e-mails off',
    description:
      'For people: the page has a button that sends the `POST`. It changes nothing by itself, because programs that check the links of e-mails open it too. 400 for a token that is not valid or has expired, as a page for browsers.',
    responses: { '200': { description: 'The page.', content: page(askingPage) }, ...refusals },
  },
  post: {
    ...common,
    operationId: 'notifications-unsubscribe',
    summary: 'Turn e-mails off at one click',
    description:
      'Called by mail programs (RFC 8058) and by the page of the `GET`. The token is the permission: sessions and origins are ignored, and so is the body. Repeating it changes nothing.',
    requestBody: {
      required: false,
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', properties: { 'List-Unsubscribe': { type: 'string' } } },
          example: { 'List-Unsubscribe': 'One-Click' },
        },
      },
    },
    responses: {
      '200': {
        description: 'The e-mails are off; a page for browsers.',
        content: {
          'text/plain': { schema: { type: 'string' }, example: 'The e-mails are off.\n' },
          ...page(donePage('https://sluice.example.com/settings')),
        },
      },
      ...refusals,
    },
  },
};
