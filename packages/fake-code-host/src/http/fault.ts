import type { Clock } from '@sluice/core/async';
import { errorAnswer, type HostAnswer, htmlAnswer, jsonAnswer } from './answer.ts';
import { matchRoute } from './host-call.ts';
import { rateHeaders } from './rate-limit.ts';
import type { SeenRequest } from './seen-request.ts';

/** What goes wrong. The work is not done unless stated. */
export type HostFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly headers?: Record<string, string>;
    }
  /** A proxy's page of that status. */
  | { readonly kind: 'html'; readonly status?: number }
  /** Well-formed JSON that is not what was asked for. */
  | { readonly kind: 'shape'; readonly value?: unknown }
  /** Status 200 and truncated JSON. */
  | { readonly kind: 'not_json' }
  /** Does the work, after a while. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Ends the connection at once. */
  | { readonly kind: 'reset' }
  /** Does the work, and ends the connection in the middle of the answer's body. */
  | { readonly kind: 'cut' }
  /** Does the work, and ends the connection without an answer. */
  | { readonly kind: 'lost' }
  /** The hour's quota is used up. */
  | { readonly kind: 'rate_limit'; readonly resetInSeconds: number }
  /** Too fast; `null`: the host does not say for how long. */
  | { readonly kind: 'secondary_limit'; readonly retryAfterSeconds: number | null };

export interface FaultRule {
  /** `POST /repos/:owner/:repo/pulls`, or a pattern over method and path; none: every request. */
  readonly on?: string | RegExp;
  readonly fault: HostFault;
  /** How many requests meet it: 1 by default, Infinity until it is lifted. */
  readonly times?: number;
  /** How many are let through before. */
  readonly skip?: number;
}

export interface ArmedFault {
  /** How many requests met it. */
  readonly hits: number;
  lift(): void;
}

export interface FaultBook {
  arm(rule: FaultRule): ArmedFault;
  /** The fault that this request meets, counted. */
  take(seen: SeenRequest): HostFault | null;
}

export function openFaultBook(): FaultBook {
  const armed: { rule: FaultRule; left: number; skip: number; hits: number }[] = [];
  return {
    arm: (rule) => {
      const entry = { rule, left: rule.times ?? 1, skip: rule.skip ?? 0, hits: 0 };
      armed.push(entry);
      return {
        get hits() {
          return entry.hits;
        },
        lift: () => {
          entry.left = 0;
        },
      };
    },
    take: (seen) => {
      const target = `${seen.method} ${seen.path}`;
      const entry = armed.find(({ rule, left }) => left > 0 && meets(rule.on, target));
      if (entry === undefined) return null;
      if (entry.skip > 0) {
        entry.skip -= 1;
        return null;
      }
      entry.left -= 1;
      entry.hits += 1;
      return entry.rule.fault;
    },
  };
}

function meets(on: string | RegExp | undefined, target: string): boolean {
  if (on === undefined) return true;
  return typeof on === 'string' ? matchRoute(on, target) !== null : on.test(target);
}

/** The answer of a fault in the work's place; null where the work is done. */
export function faultAnswer(fault: HostFault, clock: Clock): HostAnswer | null {
  switch (fault.kind) {
    case 'status':
      return withMore(errorAnswer(fault.status, fault.message ?? 'The host has a fault.'), fault.headers);
    case 'html':
      return htmlAnswer(fault.status ?? 502, '<h1>Bad gateway</h1>');
    case 'shape':
      return jsonAnswer(200, fault.value ?? { unexpected: true });
    case 'not_json':
      return { ...jsonAnswer(200, null), body: Buffer.from('{"id": 1, "title": "half of an ans') };
    case 'rate_limit': {
      const resetAt = clock.now().getTime() + fault.resetInSeconds * 1000;
      return withMore(
        errorAnswer(403, 'API rate limit exceeded.'),
        rateHeaders({ resource: 'core', limit: 5000, used: 5000, resetAt }),
      );
    }
    case 'secondary_limit': {
      const wait = fault.retryAfterSeconds;
      const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
      return withMore(errorAnswer(403, message), wait === null ? {} : { 'retry-after': String(wait) });
    }
    default:
      return null;
  }
}

function withMore(answer: HostAnswer, headers: Record<string, string> = {}): HostAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
