import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './parse-config.ts';

const app = { CODEHOST_CLIENT_ID: 'an-app', CODEHOST_CLIENT_SECRET: 'a-secret-of-it' };

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the code host', () => {
  it('defaults to github.com, polled every minute', () => {
    expect(parseConfig(app).codehost).toEqual({
      url: 'https://github.com',
      apiUrl: 'https://api.github.com',
      clientId: 'an-app',
      clientSecret: 'a-secret-of-it',
      webhookSecret: null,
      scopes: ['repo', 'workflow'],
      buildRounds: 2,
      followUpRounds: 5,
      pollMs: 60_000,
    });
  });

  it('is not configured without an application', () => {
    expect(parseConfig({ CODEHOST_URL: 'https://git.example.com', CODEHOST_WEBHOOK_SECRET: 'x' }).codehost).toBeNull();
  });

  it.each([
    ['https://git.example.com', 'https://git.example.com/api/v3'],
    ['https://git.example.com/', 'https://git.example.com/api/v3'],
    ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
    ['https://github.com', 'https://api.github.com'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/api/v3'],
  ])('at %s has its API at %s by default', (url, api) => {
    expect(parseConfig({ ...app, CODEHOST_URL: url }).codehost?.apiUrl).toBe(api);
    const other = { ...app, CODEHOST_URL: url, CODEHOST_API_URL: 'https://api.example.com/rest/' };
    expect(parseConfig(other).codehost?.apiUrl).toBe('https://api.example.com/rest');
  });

  it.each(['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000'])('may use http at %s', (url) => {
    expect(problemsOf({ ...app, CODEHOST_URL: url, CODEHOST_API_URL: url })).toEqual([]);
  });

  it.each([
    ['CODEHOST_URL', 'http://git.example.com', 'is http:// to another machine'],
    ['CODEHOST_API_URL', 'http://10.0.0.1/api', 'is http:// to another machine'],
    ['CODEHOST_URL', 'ftp://git.example.com', 'is not an http(s) URL'],
    ['CODEHOST_URL', 'https://git.example.com/?x=1', 'holds a query'],
    ['CODEHOST_CLIENT_ID', 'an app', 'is not a client id'],
    ['CODEHOST_SCOPES', 'repo;workflow', 'is not a list of scopes'],
    ['CODEHOST_POLL', '100ms', 'is too short'],
    ['CODEHOST_POLL', '90d', 'is too long'],
  ])('with %s=%s is refused, because that %s', (name, value, why) => {
    expect(problemsOf({ ...app, [name]: value })).toEqual([expect.stringContaining(why)]);
  });

  it('with one half of an application is refused, with the name of the other', () => {
    const { CODEHOST_CLIENT_ID, CODEHOST_CLIENT_SECRET } = app;
    expect(problemsOf({ CODEHOST_CLIENT_ID })).toEqual([expect.stringMatching(/^CODEHOST_CLIENT_SECRET: is required/)]);
    expect(problemsOf({ CODEHOST_CLIENT_SECRET })).toEqual([expect.stringMatching(/^CODEHOST_CLIENT_ID: is required/)]);
  });

  it.each(['CODEHOST_CLIENT_SECRET', 'CODEHOST_WEBHOOK_SECRET'])('never has %s printed', (name) => {
    const problems = problemsOf({ ...app, [name]: 'hunter2 hunter3' });
    expect(problems).toEqual([expect.stringContaining(`${name}: contains a space`)]);
    expect(problems.join()).not.toContain('hunter');
    expect(problemsOf({ ...app, [name]: 'YOUR_SECRET' })).toEqual([expect.stringContaining('is the example')]);
  });

  it('is polled every 15 minutes with a webhook', () => {
    expect(parseConfig({ ...app, CODEHOST_WEBHOOK_SECRET: 's'.repeat(32) }).codehost?.pollMs).toBe(900_000);
  });

  it('accepts scopes separated by spaces or commas, and disabled polling', () => {
    const given = { ...app, CODEHOST_SCOPES: 'public_repo, read:org', CODEHOST_POLL: '0' };
    expect(parseConfig(given).codehost).toMatchObject({ scopes: ['public_repo', 'read:org'], pollMs: 0 });
  });
});
