export {
  type ApiToken,
  type ApiTokenWire,
  apiTokenWire,
  isTokenLive,
  LONGEST_TOKEN_LIFE_DAYS,
  limitsOf,
  MOST_API_TOKENS,
  ownedTokenWire,
  toApiTokenWire,
  toOwnedTokenWire,
} from './api-token.ts';
export type {
  ApiTokenStore,
  NewApiToken,
  TokensOf,
} from './api-token-store.ts';
export { hashApiToken, hasTokenPrefix, isApiToken, renderApiToken } from './api-token-text.ts';
export { createApiToken, revokeApiToken } from './api-tokens.ts';
