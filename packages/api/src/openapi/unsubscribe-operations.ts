import { askingPage, donePage } from '../notifications/unsubscribe-page.ts';
import type { OpenApiOperation } from './openapi-shape.ts';
import { refusalResponses } from './refusal-responses.ts';

const token = {
  in: 'query',
  name: 'token',
  description: 'As the link of an e-mail has it. It can turn the e-mails of its target off, and nothing else.',
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
      'For mail programs (RFC 8058) and for the page of the `GET`. The token is the permission: sessions and origins are ignored, and so is the body. Repeating it changes nothing.',
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
