import type { OpenApiOperation } from './openapi-shape.ts';
import { refusalResponses } from './refusal-responses.ts';

/** Back-channel logout in the document. Not generated, because it is not a procedure. */
export const backchannelLogoutOperation: OpenApiOperation = {
  operationId: 'auth-backchannelLogout',
  summary: 'End the sessions of a logout at an OpenID provider',
  description:
    'For the provider (OpenID Connect Back-Channel Logout 1.0), which is authenticated by the signature of its token; sessions are ignored. Each token counts once, within two minutes of its `iat`. A `sid` ends the sessions of that session at the provider, a `sub` alone all sessions of the account that began there.',
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
