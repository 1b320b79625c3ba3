export { createOidcProvider, type OidcProviderOptions } from './create-oidc-provider.ts';
export type { OidcClient } from './discover-provider.ts';
