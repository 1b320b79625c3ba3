import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import type Bottleneck from 'bottleneck';
// @ts-expect-error The build without Redis, which the plugins use too, comes without types of its own.
import LightBottleneck from 'bottleneck/light.js';
import type { HostFetch } from './host-fetch.ts';
import type { Pace } from './pace.ts';

const Group: typeof Bottleneck.Group = LightBottleneck.Group;

const PoliteOctokit = Octokit.plugin(throttling, retry);

// Its plugins speak to the console otherwise, and name addresses there.
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const REPEATS = 2; // of what can be done twice; a request can be told to have none, but not to have some
const everyRefusal = Array.from({ length: 100 }, (_, index) => 400 + index);

export interface OctokitFor {
  readonly token: string;
  readonly tokenKey: string;
  readonly fetch: HostFetch;
}

/**
 * Makes clients: one for each call, as a token is opened for one call alone. What paces them is shared by all calls with
 * the same token.
 */
export function createOctokits({ api, userAgent, pace }: { api: URL; userAgent: string; pace: Pace }) {
  const write = new Group({ maxConcurrent: 1, minTime: pace.writeGapMs });
  const notifications = new Group({ maxConcurrent: 1, minTime: pace.noticeGapMs });
  // Once: a host that asks to wait again has been asked often enough.
  const waits = (seconds: number, ...[, , waited]: [options: unknown, octokit: unknown, waited: number]) =>
    waited < 1 && seconds * 1_000 <= pace.longestWaitMs;
  return ({ token, tokenKey, fetch }: OctokitFor): Octokit =>
    new PoliteOctokit({
      auth: token,
      baseUrl: api.href.replace(/\/+$/, ''),
      userAgent,
      log: silent,
      request: { fetch, log: silent },
      throttle: {
        id: tokenKey,
        write,
        notifications,
        retryAfterBaseValue: pace.secondMs,
        onRateLimit: waits,
        onSecondaryRateLimit: waits,
      },
      retry: { retries: REPEATS, doNotRetry: everyRefusal, retryAfterBaseValue: pace.repeatAfterMs },
    });
}
