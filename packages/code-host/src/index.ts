export { type CodeHostOptions, createCodeHost } from './github/create-code-host.ts';
export { createCodeHostWebhooks } from './github/create-code-host-webhooks.ts';
export { createCodeHostIdentity } from './oauth/create-code-host-identity.ts';
