import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { roles } from '@sluice/core/access';
import { isId, type RepoId } from '@sluice/core/id';
import * as z from 'zod';
import { isLoopback } from './loopback.ts';

const MAX_SECRET = 1_000;
const printable = z.string().regex(/^[\x20-\x7e]{1,200}$/, 'is not 1 to 200 printable characters');
const group = z.string().min(1, 'is empty').max(500, 'is longer than 500 characters');
const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'contains a space or another character that secrets do not have')
  .max(MAX_SECRET, 'is too long');

/** Tokens are fetched from it: unencrypted only from this machine. */
const issuer = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const fault =
    url === null || !/^https?:$/.test(url.protocol)
      ? 'is not an https URL'
      : url.username !== '' || url.search !== '' || url.hash !== ''
        ? 'holds credentials, a query or a fragment'
        : url.protocol === 'http:' && !isLoopback(url.hostname)
          ? 'is http:// to another machine'
          : null;
  if (url !== null && fault === null) return url;
  context.addIssue({ code: 'custom', message: fault ?? 'is not an https URL' });
  return z.NEVER;
});

const provider = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'is not 1 to 32 of a-z, 0-9 and -'),
    name: z.string().trim().min(1, 'is empty').max(60, 'is longer than 60 characters'),
    issuer,
    client_id: printable,
    client_secret: secret.optional(),
    client_secret_file: z.string().min(1, 'is empty').optional(),
    client_auth: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'is not a scope'))
      .default(['openid', 'profile', 'email'])
      .refine((scopes) => scopes.includes('openid'), 'does not include openid'),
    groups_claim: printable.default('groups'),
    allowed_groups: z.array(group).min(1, 'names no group').optional(),
    operator_groups: z.array(group).default([]),
    roles: z
      .array(
        z.strictObject({
          group,
          repo: z
            .string()
            .refine(isId, 'is not the id of a repository')
            .transform((id) => id as RepoId),
          role: z.enum(roles),
        }),
      )
      .default([]),
  })
  .refine(({ client_secret: one, client_secret_file: other }) => one === undefined || other === undefined, {
    message: 'has both client_secret and client_secret_file',
  });

const file = z
  .strictObject({ providers: z.array(provider).min(1, 'names no provider') })
  .superRefine(({ providers }, context) => {
    for (const [field, of] of [
      ['id', (one: Provider) => one.id],
      ['issuer', (one: Provider) => one.issuer.href.replace(/\/+$/, '')],
    ] as const) {
      const seen = new Set<string>();
      for (const [at, one] of providers.entries()) {
        if (seen.has(of(one))) {
          context.addIssue({
            code: 'custom',
            path: ['providers', at, field],
            message: 'is already used by another provider',
          });
        }
        seen.add(of(one));
      }
    }
  });
type Provider = z.output<typeof provider>;

export type OidcProviderSettings = ReturnType<typeof settingsOf>;

interface ReadProviders {
  readonly providers: readonly OidcProviderSettings[];
  /** What is wrong with the file, each with its place; never a secret. */
  readonly problems: readonly string[];
}

/** Reads the file of OIDC_PROVIDERS, with the files of secrets that it names. */
export function readOidcProviders(path: string | null): ReadProviders {
  if (path === null) return { providers: [], problems: [] };
  const text = readText(resolve(path));
  if (text === null) return failed('cannot be read');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failed('is not valid JSON');
  }
  const parsed = file.safeParse(json);
  if (!parsed.success) return failed(...parsed.error.issues.map((issue) => `${placeOf(issue.path)}${issue.message}`));
  const problems: string[] = [];
  const providers = parsed.data.providers.map((one, at) => {
    const read = secretOf(one);
    if (read.fault !== null) problems.push(`providers[${at}].client_secret_file ${read.fault}`);
    return settingsOf(one, read.secret);
  });
  return { providers, problems };
}

function failed(...problems: string[]): ReadProviders {
  return { providers: [], problems: [...new Set(problems)] };
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place === '' ? '' : `${place.replace(/^\./, '')} `;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function secretOf({ client_secret: given, client_secret_file: path }: Provider): {
  readonly secret: string | null;
  readonly fault: string | null;
} {
  if (path === undefined) return { secret: given ?? null, fault: null };
  const text = readText(resolve(path));
  if (text === null) return { secret: null, fault: 'cannot be read' };
  const parsed = secret.safeParse(text.trim());
  if (parsed.success) return { secret: parsed.data, fault: null };
  return { secret: null, fault: parsed.error.issues[0]?.message ?? 'is not a secret' };
}

function settingsOf(one: Provider, clientSecret: string | null) {
  return {
    client: {
      id: one.id,
      name: one.name,
      issuer: one.issuer,
      clientId: one.client_id,
      clientSecret,
      clientAuth: one.client_auth ?? null,
      scopes: one.scopes,
      groupsClaim: one.groups_claim,
    },
    rules: {
      allowedGroups: one.allowed_groups ?? null,
      operatorGroups: one.operator_groups,
      repoRoles: one.roles.map(({ group, repo, role }) => ({ group, repoId: repo, role })),
    },
  };
}
