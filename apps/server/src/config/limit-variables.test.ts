import { rateLimits } from '@sluice/core/request';
import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './parse-config.ts';

describe('the variables of the rate limits', () => {
  it('change the figures of one limit and leave the others as they are', () => {
    expect(parseConfig({ LIMIT_LOGIN: '30/5m' }).limits).toEqual({
      ...rateLimits,
      login: { ...rateLimits.login, points: 30, windowSeconds: 300 },
    });
  });

  it.each(['0', ' 0 '])('turn a limit off by %j', (LIMIT_CREATE_REPO) => {
    expect(parseConfig({ LIMIT_CREATE_REPO }).limits).toEqual({ ...rateLimits, create_repo: null });
  });

  it('choose what logins and creations count', () => {
    const { limits } = parseConfig({ LIMIT_LOGIN_COUNTS: 'failures', LIMIT_CREATE_COUNTS: 'accepted' });
    expect(limits).toEqual({
      ...rateLimits,
      login: { ...rateLimits.login, counts: 'failures' },
      create_issue: { ...rateLimits.create_issue, counts: 'accepted' },
      create_repo: { ...rateLimits.create_repo, counts: 'accepted' },
      import_issue: { ...rateLimits.import_issue, counts: 'accepted' },
    });
  });

  it.each([
    '5',
    '5/',
    '/1m',
    '0/1m',
    '5/0s',
    '5/250ms',
    '-1/1m',
    '1.5/1m',
    '5/1w',
    '5 / 1m',
    '5/25d',
    '2000000/1m',
    'off',
  ])('refuse %j with an example', (LIMIT_LOGIN) => {
    expect(() => parseConfig({ LIMIT_LOGIN })).toThrow(ConfigError);
    expect(() => parseConfig({ LIMIT_LOGIN })).toThrow('is neither COUNT/TIME nor 0, e.g. LIMIT_LOGIN=5/1m');
  });
});
