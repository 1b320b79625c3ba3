import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readOidcProviders } from './oidc-providers.ts';
import { parseConfig } from './parse-config.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sluice-oidc-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const company = { id: 'company', name: 'Company', issuer: 'https://id.example.com/realms/a', client_id: 'sluice' };
const write = (content: unknown) => {
  const path = join(dir, 'oidc.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const read = (...providers: unknown[]) => readOidcProviders(write({ providers }));

it('reads providers with their secrets and defaults', () => {
  writeFileSync(join(dir, 'secret'), 'from-a-file\n');
  const repo = '0193a59e-4d21-7c3b-b0aa-52c1e7f90d34';
  const roles = [{ group: 'dev', repo, role: 'viewer' }];
  const { providers, problems } = read(
    { ...company, client_secret_file: join(dir, 'secret'), roles },
    { ...company, id: 'local', issuer: 'http://127.0.0.1:9000', client_secret: 's', allowed_groups: ['a'] },
  );
  expect(problems).toEqual([]);
  expect(providers).toMatchObject([
    {
      client: { clientSecret: 'from-a-file', scopes: ['openid', 'profile', 'email'], groupsClaim: 'groups' },
      rules: { allowedGroups: null, operatorGroups: [], repoRoles: [{ group: 'dev', repoId: repo, role: 'viewer' }] },
    },
    { client: { id: 'local', clientSecret: 's' }, rules: { allowedGroups: ['a'] } },
  ]);
  expect(readOidcProviders(null)).toEqual({ providers: [], problems: [] });
});

it('names every problem with its place, and no secret', () => {
  const { problems } = read(
    { ...company, issuer: 'http://id.example.com', scopes: ['email'], extra: 1, client_secret: 'a canary' },
    { ...company, id: 'Company!', roles: [{ group: 'dev', repo: 'shop', role: 'owner' }] },
  );
  const all = problems.join('\n');
  for (const place of [
    'providers[0].issuer is http:// to another machine',
    'providers[0].scopes does not include openid',
    'extra',
    'providers[1].id is not 1 to 32',
    'providers[1].roles[0].repo is not the id of a repository',
    'providers[1].roles[0].role',
  ])
    expect(all).toContain(place);
  expect(all).not.toContain('canary');
});

it.each([
  ['{', 'is not valid JSON'],
  [{ providers: [] }, 'providers names no provider'],
  [{ providers: [company, company] }, 'providers[1].id is already used by another provider'],
  [{ providers: [{ ...company, client_secret: 'a', client_secret_file: 'b' }] }, 'both client_secret and'],
  [{ providers: [{ ...company, client_secret_file: '/nowhere' }] }, 'providers[0].client_secret_file cannot be read'],
])('refuses %j', (content, problem) => {
  expect(readOidcProviders(write(content)).problems.join('\n')).toContain(problem);
});

it('does not start without a way to log in, or with a file that is wrong', () => {
  expect(() => parseConfig({ PASSWORDS: 'off' })).toThrow(/PASSWORDS: off leaves no way to log in/);
  expect(() => parseConfig({ OIDC_PROVIDERS: join(dir, 'missing') })).toThrow(/OIDC_PROVIDERS: .* cannot be read/);
  const path = write({ providers: [company] });
  expect(parseConfig({ OIDC_PROVIDERS: path, PASSWORDS: 'off' })).toMatchObject({ passwords: false });
});
