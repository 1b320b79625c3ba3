export {
  type ApiToken,
  type ApiTokenWire,
  apiTokenWire,
  isTokenLive,
  limitsOf,
  MAX_API_TOKENS,
  MAX_TOKEN_LIFE_DAYS,
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
