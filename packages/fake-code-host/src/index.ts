export type { ArmedFault, FaultRule, HostFault } from './http/fault.ts';
export type { SeenRequest } from './http/seen-request.ts';
export type { HostPlace } from './people/code-host-people.ts';
export type { SeenComment, SeenLineComment, SeenPull } from './people/read-out.ts';
export { scratchOrigin } from './people/scratch-origin.ts';
export { readDescription } from './read-description.ts';
export { graphProblems } from './rest/rest-graphql.ts';
export { type CodeHostOptions, type FakeCodeHost, startCodeHost } from './start-code-host.ts';
export type { Forgery, Webhook, WebhookDelivery } from './webhooks.ts';
