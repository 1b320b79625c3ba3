import { creationLimits, type RateLimit, type RateLimitName, type RateLimits, rateLimits } from '@sluice/core/request';
import * as z from 'zod';
import { MAX_TIMER_MS, oneOf, parseDuration, type ValuesOf, type Variable } from './variable.ts';

const MAX_POINTS = 1_000_000; // more is as good as none, which is 0

interface Figures {
  readonly points: number;
  readonly windowSeconds: number;
}

/** `5/1m`; 0 is no limit. */
const figures = z.string().transform((value, context): Figures | null => {
  if (value === '0') return null;
  const [, count = '', time = ''] = /^(\d{1,7})\/(\d+[smhd])$/.exec(value) ?? [];
  const points = Number(count);
  const ms = parseDuration(time);
  const isWindow = ms !== null && ms > 0 && ms <= MAX_TIMER_MS;
  if (count !== '' && points > 0 && points <= MAX_POINTS && isWindow) return { points, windowSeconds: ms / 1_000 };
  context.addIssue({ code: 'custom', message: 'is neither COUNT/TIME nor 0' });
  return z.NEVER;
});

function limitVariable({ points, windowSeconds, key, noun }: RateLimit) {
  const usual = `${points}/${windowSeconds === 60 ? '1m' : '1h'}`;
  return {
    meaning: `Limit of ${noun[1]}, for each ${{ ip: 'client address', user: 'user', token: 'API token' }[key]}; 0 = none.`,
    default: usual,
    example: usual,
    schema: figures,
  } as const;
}

type LimitVariableName<Name extends RateLimitName = RateLimitName> = `LIMIT_${Uppercase<Name>}`;
type LimitVariable = ReturnType<typeof limitVariable>;

const entries = Object.entries<RateLimit>(rateLimits).map(([name, limit]) => [variableOf(name), limitVariable(limit)]);

/** The rate limits; the same for all processes. */
export const limitVariables = {
  ...(Object.fromEntries(entries) as { readonly [Name in LimitVariableName]: LimitVariable }),
  LIMIT_LOGIN_COUNTS: {
    meaning: 'Which logins LIMIT_LOGIN counts: all, or only failures.',
    default: 'all',
    example: 'failures',
    schema: oneOf('all', 'failures'),
  },
  LIMIT_CREATE_COUNTS: {
    meaning: `Which requests ${creationLimits.map(variableOf).join(', ')} count: all, or only those that were accepted. The refused ones then count for LIMIT_MUTATION.`,
    default: 'all',
    example: 'accepted',
    schema: oneOf('all', 'accepted'),
  },
} as const satisfies Record<string, Variable>;

/** The limits of a configuration. */
export function limitSettings(values: ValuesOf<typeof limitVariables>): RateLimits {
  const limits = Object.entries<RateLimit>(rateLimits).map(([name, usual]) => {
    const set: Figures | null = values[variableOf(name) as LimitVariableName];
    return [name, set === null ? null : { ...usual, ...set, ...countsOf(name as RateLimitName, values) }];
  });
  return Object.fromEntries(limits) as RateLimits;
}

function countsOf(name: RateLimitName, values: ValuesOf<typeof limitVariables>): Pick<RateLimit, 'counts'> {
  const ofLogin = name === 'login' ? values.LIMIT_LOGIN_COUNTS : 'all';
  const counts = creationLimits.some((one) => one === name) ? values.LIMIT_CREATE_COUNTS : ofLogin;
  return counts === 'all' ? {} : { counts };
}

function variableOf(name: string): string {
  return `LIMIT_${name.toUpperCase()}`;
}
