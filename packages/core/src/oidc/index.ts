export { type GroupGrants, grantsOf, mayEnter, type OidcRules } from './group-grants.ts';
export type {
  NewOidcUser,
  OidcIdentity,
  OidcIdentityStore,
  OidcLinkOutcome,
  OidcSignInOutcome,
  OidcUnlinkOutcome,
} from './oidc-identity-store.ts';
export type {
  OidcAccount,
  OidcLogout,
  OidcProvider,
  OidcRequest,
  OidcReturn,
  OidcSignIn,
} from './oidc-provider.ts';
