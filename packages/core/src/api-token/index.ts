export {
  type ApiToken,
  type ApiTokenWire,
  apiTokenWire,
  isTokenLive,
  type ListedToken,
  LONGEST_TOKEN_LIFE_DAYS,
  limitsOf,
  MOST_API_TOKENS,
  type OwnedTokenWire,
  ownedTokenWire,
  toApiTokenWire,
  toOwnedTokenWire,
} from './api-token.ts';
export type {
  ApiTokenStore,
  CreateTokenOutcome,
  FoundToken,
  NewApiToken,
  TokensOf,
} from './api-token-store.ts';
export { hashApiToken, hasTokenPrefix, isApiToken, renderApiToken } from './api-token-text.ts';
export { createApiToken, revokeApiToken } from './api-tokens.ts';
