import { join, resolve } from 'node:path';
import type * as z from 'zod';
import { type CodeHostSettings, codehostProblems, codehostSettings } from './codehost-settings.ts';
import type { EncryptionKey } from './encryption-key.ts';
import { isLoopback } from './loopback.ts';
import { type ModelSettings, modelProblems, modelSettings } from './model-settings.ts';
import { type VariableName, variables } from './variables.ts';

type Values = { [K in VariableName]?: z.output<(typeof variables)[K]['schema']> };

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Null: `http://HOST:PORT` as it really listens. */
  readonly publicUrl: URL | null;
  readonly role: 'all' | 'api' | 'worker';
  readonly dataDir: string;
  /** Holds clones and working trees. */
  readonly workspacesDir: string;
  /** Null: SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** Null: limits and signals are kept in the process. */
  readonly redisUrl: string | null;
  /** Null: the vectors are kept in the data folder. */
  readonly chromaUrl: URL | null;
  readonly sessionSecret: string | null;
  readonly encryptionKeys: readonly EncryptionKey[] | null;
  readonly sessionTtlMs: number;
  /** 0: as long as that. */
  readonly sessionIdleTtlMs: number;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: readonly string[];
  readonly registration: 'open' | 'first-user' | 'closed';
  /** Null: as the database has it. */
  readonly maxActivePipelines: number | null;
  readonly maxActivePipelinesPerUser: number | null;
  readonly gateKeepsSlot: boolean;
  readonly gateTimeoutMs: number;
  readonly workspaceTtlMs: number;
  /** Null: for ever. */
  readonly eventRetentionMs: number | null;
  readonly stageTimeoutMs: number;
  readonly commitAuthor: { readonly name: string; readonly email: string };
  readonly sandbox: 'bwrap' | 'none';
  readonly sandboxReadPaths: readonly string[];
  readonly setupAllowHosts: readonly string[];
  readonly allowLocalRepos: boolean;
  /** Who may register local repositories, where they are allowed. */
  readonly localReposFor: 'everybody' | 'first-user';
  readonly allowPrivateHosts: boolean;
  /** What is refused as too large to be worked on. */
  readonly repoLimits: { readonly files: number; readonly treeBytes: number; readonly cloneBytes: number };
  readonly gitMemoryBytes: number;
  readonly models: ModelSettings;
  /** Null: none is configured. */
  readonly codehost: CodeHostSettings | null;
  /** Null: no metrics are served. */
  readonly metricsPort: number | null;
  /** Where traces go; null: nothing is traced. */
  readonly tracing: { readonly endpoint: URL; readonly headers: Readonly<Record<string, string>> } | null;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Where toolchains are looked for: the service's own `PATH`. */
  readonly path: string;
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

const GIB = 1024 ** 3;

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
 * Reads the configuration from an environment. A variable that is empty or blank counts as not set.
 *
 * @throws ConfigError with every problem: its variable, what is wrong, and an example; a secret's value is never in it
 */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = (name: string) => environment[name]?.trim() || null;
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(variables)) {
    const value = given(name);
    if (value === null) continue;
    const parsed = schema.safeParse(value);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(problemWith(name, { value, faults: parsed.error.issues.map((fault) => fault.message) }));
  }
  const read = values as Values;
  const host = read.HOST ?? '127.0.0.1';
  if (!isLoopback(host) && given('PUBLIC_URL') === null) {
    problems.push(`PUBLIC_URL: is required when HOST is not loopback, e.g. PUBLIC_URL=${variables.PUBLIC_URL.example}`);
  }
  if (read.DATABASE_URL !== undefined) problems.push(...secretsOfItsOwn(given));
  if (read.DATABASE_URL === undefined && read.ROLE !== undefined && read.ROLE !== 'all') {
    problems.push(
      `ROLE: ${read.ROLE} needs a database that processes share, e.g. DATABASE_URL=${variables.DATABASE_URL.example}`,
    );
  }
  problems.push(...workspacesProblems(read), ...modelProblems(modelSettings(read)), ...codehostProblems(given));
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(read, { host, path: environment.PATH ?? '' });
}

function problemWith(name: string, fault: { value: string; faults: string[] }): string {
  const { example, secret } = variables[name as VariableName] as { example: string; secret?: true };
  const shown = secret === true ? '' : `"${withoutCredentials(fault.value)}" `;
  return `${name}: ${shown}${[...new Set(fault.faults)].join(', ')}, e.g. ${name}=${example}`;
}

/** Folders in WORKSPACES_DIR are deleted when its disk is full: the data folder must not be one of them. */
function workspacesProblems(read: Values): string[] {
  const { WORKSPACES_DIR } = read;
  if (WORKSPACES_DIR === undefined || !join(dataDirOf(read), '/').startsWith(join(resolve(WORKSPACES_DIR), '/')))
    return [];
  const fault = { value: WORKSPACES_DIR, faults: ['is DATA_DIR or a folder above it'] };
  return [problemWith('WORKSPACES_DIR', fault)];
}

function dataDirOf({ DATA_DIR }: Values): string {
  return resolve(DATA_DIR ?? './data');
}

/** A URL that an operator typed may hold a password where none belongs. */
function withoutCredentials(value: string): string {
  return value.replace(/\/\/[^/\s]*@/g, '//***@');
}

/** What one process would generate for itself, another one would not know. */
function secretsOfItsOwn(given: (name: string) => string | null): string[] {
  const shared: VariableName[] = ['SESSION_SECRET', 'ENCRYPTION_KEYS'];
  return shared
    .filter((name) => given(name) === null)
    .map(
      (name) =>
        `${name}: is required with DATABASE_URL, the same for all processes, e.g. ${name}=${variables[name].example}`,
    );
}

function toConfig(read: Values, rest: { host: string; path: string }): Config {
  const trustProxy = read.TRUST_PROXY ?? [];
  const publicUrl = read.PUBLIC_URL ?? null;
  const dataDir = dataDirOf(read);
  const isPublicUrlLoopback = publicUrl === null || isLoopback(publicUrl.hostname);
  return {
    host: rest.host,
    port: read.PORT ?? 3_000,
    publicUrl,
    role: read.ROLE ?? 'all',
    dataDir,
    workspacesDir: read.WORKSPACES_DIR === undefined ? join(dataDir, 'workspaces') : resolve(read.WORKSPACES_DIR),
    databaseUrl: read.DATABASE_URL ?? null,
    redisUrl: read.REDIS_URL ?? null,
    chromaUrl: read.CHROMA_URL ?? null,
    sessionSecret: read.SESSION_SECRET ?? null,
    encryptionKeys: read.ENCRYPTION_KEYS ?? null,
    sessionTtlMs: read.SESSION_TTL ?? 7 * 86_400_000,
    sessionIdleTtlMs: read.SESSION_IDLE_TTL ?? 3 * 86_400_000, // a weekend and its two nights
    corsOrigins: read.CORS_ORIGINS ?? [],
    trustProxy,
    registration: read.REGISTRATION ?? (isPublicUrlLoopback ? 'open' : 'first-user'),
    maxActivePipelines: read.MAX_ACTIVE_PIPELINES ?? null,
    maxActivePipelinesPerUser: read.MAX_ACTIVE_PIPELINES_PER_USER ?? null,
    gateKeepsSlot: read.GATE_KEEPS_SLOT ?? true,
    gateTimeoutMs: read.GATE_TIMEOUT ?? 7 * 86_400_000,
    workspaceTtlMs: read.WORKSPACE_TTL ?? 7 * 86_400_000,
    eventRetentionMs: read.EVENT_RETENTION ?? null,
    stageTimeoutMs: read.STAGE_TIMEOUT ?? 30 * 60_000,
    commitAuthor: read.COMMIT_AUTHOR ?? { name: 'Sluice', email: 'sluice@localhost' },
    sandbox: read.SANDBOX ?? 'bwrap',
    sandboxReadPaths: read.SANDBOX_READ_PATHS ?? [],
    setupAllowHosts: read.SETUP_ALLOW_HOSTS ?? DEFAULT_SETUP_HOSTS,
    allowLocalRepos:
      read.ALLOW_LOCAL_REPOS ?? (isLoopback(rest.host) && isPublicUrlLoopback && trustProxy.length === 0),
    localReposFor: read.ALLOW_LOCAL_REPOS === undefined ? 'first-user' : 'everybody',
    allowPrivateHosts: read.ALLOW_PRIVATE_HOSTS ?? false,
    repoLimits: {
      files: read.REPO_MAX_FILES ?? 500_000,
      treeBytes: read.REPO_MAX_TREE_SIZE ?? 4 * GIB,
      cloneBytes: read.REPO_MAX_CLONE_SIZE ?? 8 * GIB,
    },
    gitMemoryBytes: read.GIT_MAX_MEMORY ?? 2 * GIB,
    models: modelSettings(read),
    codehost: codehostSettings(read),
    metricsPort: read.METRICS_PORT ?? null,
    tracing:
      read.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : { endpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT, headers: read.OTEL_EXPORTER_OTLP_HEADERS ?? {} },
    logLevel: read.LOG_LEVEL ?? 'info',
    path: rest.path,
  };
}
