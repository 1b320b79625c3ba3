import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type * as z from 'zod';
import { unsupportedVariables, type VariableName, variables } from './variables.ts';

type Values = { [K in VariableName]?: z.output<(typeof variables)[K]['schema']> };

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Null: `http://HOST:PORT` as it really listens. */
  readonly publicUrl: URL | null;
  readonly dataDir: string;
  readonly sessionSecret: string | null;
  readonly encryptionKeys: readonly EncryptionKey[] | null;
  readonly sessionTtlMs: number;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: readonly string[];
  readonly registration: 'open' | 'first-user' | 'closed';
  readonly maxActivePipelines: number;
  readonly gateTimeoutMs: number;
  readonly workspaceTtlMs: number;
  readonly stageTimeoutMs: number;
  readonly commitAuthor: { readonly name: string; readonly email: string };
  readonly sandbox: 'bwrap' | 'none';
  readonly sandboxReadPaths: readonly string[];
  readonly setupAllowHosts: readonly string[];
  readonly allowLocalRepos: boolean;
  readonly allowPrivateHosts: boolean;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Where toolchains are looked for: the service's own `PATH`. */
  readonly path: string;
}

export interface EncryptionKey {
  readonly id: string;
  /** 32 bytes */
  readonly key: Buffer;
}

/** Every problem of a configuration at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

// The registries' own names and where they keep their files, as their clients' documentation gives them.
const DEFAULT_SETUP_HOSTS = [
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'pypi.org',
  'files.pythonhosted.org',
  'proxy.golang.org',
  'sum.golang.org',
  'index.crates.io',
  'static.crates.io',
  'crates.io',
  'repo.maven.apache.org',
  'repo1.maven.org',
  'rubygems.org',
];

/**
 * Reads the configuration from an environment.
 *
 * @throws ConfigError with every problem: its variable, what is wrong, and an example; a secret's value is never in it
 */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables)) {
    const given = environment[name];
    if (given === undefined || given.trim() === '') continue;
    const parsed = variable.schema.safeParse(given.trim());
    if (parsed.success) values[name] = parsed.data;
    else problems.push(problemWith(name, { given, faults: parsed.error.issues.map((fault) => fault.message) }));
  }
  for (const [name, { unless, why }] of Object.entries(unsupportedVariables)) {
    const given = environment[name];
    if (given === undefined || given === '' || unless?.test(given) === true) continue;
    problems.push(`${name}: ${why}. Unset it.`);
  }
  const read = values as Values;
  const host = read.HOST ?? '127.0.0.1';
  if (!isLoopback(host) && read.PUBLIC_URL === undefined && !('PUBLIC_URL' in environment && problems.length > 0)) {
    problems.push(`PUBLIC_URL: is required when HOST is not loopback, e.g. PUBLIC_URL=${variables.PUBLIC_URL.example}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(read, { host, path: environment['PATH'] ?? '' });
}

function problemWith(name: string, fault: { given: string; faults: string[] }): string {
  const { example, secret } = variables[name as VariableName] as { example: string; secret?: true };
  const shown = secret === true ? '' : `"${fault.given}" `;
  return `${name}: ${shown}${[...new Set(fault.faults)].join(', ')}, e.g. ${name}=${example}`;
}

function toConfig(read: Values, rest: { host: string; path: string }): Config {
  const trustProxy = read.TRUST_PROXY ?? [];
  const publicUrl = read.PUBLIC_URL ?? null;
  const reachableFromHereOnly =
    isLoopback(rest.host) && (publicUrl === null || isLoopback(publicUrl.hostname)) && trustProxy.length === 0;
  return {
    host: rest.host,
    port: read.PORT ?? 3_000,
    publicUrl,
    dataDir: resolve(read.DATA_DIR ?? './data'),
    sessionSecret: read.SESSION_SECRET ?? null,
    encryptionKeys: read.ENCRYPTION_KEYS ?? null,
    sessionTtlMs: read.SESSION_TTL ?? 7 * 86_400_000,
    corsOrigins: read.CORS_ORIGINS ?? [],
    trustProxy,
    registration: read.REGISTRATION ?? 'open',
    maxActivePipelines: read.MAX_ACTIVE_PIPELINES ?? 5,
    gateTimeoutMs: read.GATE_TIMEOUT ?? 7 * 86_400_000,
    workspaceTtlMs: read.WORKSPACE_TTL ?? 7 * 86_400_000,
    stageTimeoutMs: read.STAGE_TIMEOUT ?? 30 * 60_000,
    commitAuthor: read.COMMIT_AUTHOR ?? { name: 'Sluice', email: 'sluice@localhost' },
    sandbox: read.SANDBOX ?? 'bwrap',
    sandboxReadPaths: read.SANDBOX_READ_PATHS ?? [],
    setupAllowHosts: read.SETUP_ALLOW_HOSTS ?? DEFAULT_SETUP_HOSTS,
    allowLocalRepos: read.ALLOW_LOCAL_REPOS ?? reachableFromHereOnly,
    allowPrivateHosts: read.ALLOW_PRIVATE_HOSTS ?? false,
    logLevel: read.LOG_LEVEL ?? 'info',
    path: rest.path,
  };
}

/** Whether a host name or address (brackets allowed) is this machine's loopback. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare === '::1') return true;
  return isIP(bare) === 4 && bare.startsWith('127.');
}
