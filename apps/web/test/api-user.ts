import { setTimeout as pause } from 'node:timers/promises';
import type { APIRequestContext } from '@playwright/test';
import { expect } from '@playwright/test';

// biome-ignore lint/suspicious/noExplicitAny: answers of the API, of which a test names the parts that it needs
type Answer = any;

const TIMEOUT_MS = 120_000; // only a hang takes longer, with agents on a loaded machine
const POLL_MS = 100; // an answer takes milliseconds, a stage a second

/** A person who uses the API beside the pages, with the session of the same browser. */
export interface ApiUser {
  readonly url: string;
  get(path: string): Promise<Answer>;
  post(path: string, data?: unknown): Promise<Answer>;
  patch(path: string, data: unknown): Promise<Answer>;
  /** Waits until an issue has one of these statuses. @returns the issue */
  until(id: string, ...statuses: readonly string[]): Promise<Answer>;
}

export function apiUser(request: APIRequestContext, url: string): ApiUser {
  const ask = async (method: 'get' | 'post' | 'patch', path: string, data?: unknown) => {
    const answer = await request[method](`${url}/api${path}`, data === undefined ? {} : { data });
    const text = await answer.text();
    expect(answer.ok(), `${method} ${path}: ${answer.status()} ${text}`).toBe(true);
    return text === '' ? null : JSON.parse(text);
  };
  const get = (path: string) => ask('get', path);
  return {
    url,
    get,
    post: (path, data) => ask('post', path, data ?? {}),
    patch: (path, data) => ask('patch', path, data),
    async until(id, ...statuses) {
      for (const giveUpAt = Date.now() + TIMEOUT_MS; ; await pause(POLL_MS)) {
        const issue = await get(`/issues/${id}`);
        if (statuses.includes(issue.status)) return issue;
        if (Date.now() > giveUpAt)
          throw new Error(`Issue ${id} is still ${issue.status}, not ${statuses.join(' or ')}.`);
      }
    },
  };
}
