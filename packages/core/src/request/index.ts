export type {
  IdempotencyStore,
  IdempotentRequest,
  ResponseToStore,
  StoredResponse,
} from './idempotency-store.ts';
export type { Page, PageRequest } from './page.ts';
export type {
  Limiter,
  LimitVerdict,
  RateLimit,
  RateLimitName,
  RateLimits,
} from './rate-limits.ts';
export {
  creationLimits,
  describeLimit,
  FAILED_LOGIN_WINDOW_SECONDS,
  loginDelayMs,
  rateLimits,
} from './rate-limits.ts';
