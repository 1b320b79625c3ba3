import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import type Bottleneck from 'bottleneck';
// @ts-expect-error The build without Redis, which the plugins also use, has no types.
import LightBottleneck from 'bottleneck/light.js';
import type { HostFetch } from './host-fetch.ts';
import type { Pace } from './pace.ts';

// By default its plugins log to the console, with URLs.
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const RETRIES = 2; // for idempotent requests; a request can only opt out
const everyRefusal = Array.from({ length: 100 }, (_, index) => 400 + index);

export interface OctokitFor {
  readonly token: string;
  readonly tokenKey: string;
  readonly fetch: HostFetch;
}

/**
 * Makes clients: one for each call, because a token is decrypted for one call only. The throttling is shared by all calls
 * with the same token.
 */
export function createOctokits({ api, userAgent, pace }: { api: URL; userAgent: string; pace: Pace }) {
  // Not above, so that a service without a code host loads none of it.
  const ThrottledOctokit = Octokit.plugin(throttling, retry);
  const Group: typeof Bottleneck.Group = LightBottleneck.Group;
  const write = new Group({ maxConcurrent: 1, minTime: pace.writeGapMs });
  const notifications = new Group({ maxConcurrent: 1, minTime: pace.noticeGapMs });
  const search = new Group({ maxConcurrent: 1, minTime: pace.searchGapMs });
  // Waits once: a second request to wait fails the call.
  const waits = (seconds: number, ...[, , waited]: [options: unknown, octokit: unknown, waited: number]) =>
    waited < 1 && seconds * 1_000 <= pace.longestWaitMs;
  return ({ token, tokenKey, fetch }: OctokitFor): Octokit =>
    new ThrottledOctokit({
      auth: token,
      baseUrl: api.href.replace(/\/+$/, ''),
      userAgent,
      log: silent,
      request: { fetch, log: silent },
      throttle: {
        id: tokenKey,
        write,
        notifications,
        search,
        retryAfterBaseValue: pace.secondMs,
        onRateLimit: waits,
        onSecondaryRateLimit: waits,
      },
      retry: { retries: RETRIES, doNotRetry: everyRefusal, retryAfterBaseValue: pace.retryAfterMs },
    });
}
