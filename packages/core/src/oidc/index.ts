export { type GroupGrants, grantsOf, mayEnter, type OidcRules } from './group-grants.ts';
export type {
  NewOidcUser,
  OidcIdentityStore,
} from './oidc-identity-store.ts';
export type {
  OidcAccount,
  OidcLogout,
  OidcProvider,
  OidcReturn,
  OidcSignIn,
} from './oidc-provider.ts';
