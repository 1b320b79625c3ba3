import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseConfig } from '../src/config/parse-config.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Environment = Record<string, string>;

/** What an operator makes for himself. */
const ownSecrets = {
  POSTGRES_PASSWORD: '0123456789abcdef',
  SESSION_SECRET: Buffer.alloc(48, 1).toString('base64'),
  ENCRYPTION_KEYS: `2026a:${Buffer.alloc(32, 2).toString('base64')}`,
  ANTHROPIC_API_KEY: 'sk-of-an-operator',
};
const filledIn: Environment = { ...parseEnv(read('deploy/.env.example')), ...ownSecrets };

function imageEnvironment(): Environment {
  const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(read('Dockerfile')) ?? [];
  return Object.fromEntries(block.split(/\s*\\\n\s*/).map((pair) => pair.split('=') as [string, string]));
}

describe('the image', () => {
  it('runs the Node that the checkout runs', () => {
    const { nodeVersion } = parse(read('pnpm-workspace.yaml'));
    // A digest may follow: Renovate pins them.
    const images = [...read('Dockerfile').matchAll(/^FROM ([^\s@]+)(?:@sha256:[0-9a-f]{64})?\s/gm)].map(
      ([, image]) => image,
    );
    expect(images).toEqual(Array(2).fill(`node:${nodeVersion}-bookworm-slim`));
  });

  it('sets variables that the service knows, and leaves PUBLIC_URL to the operator', () => {
    const environment = imageEnvironment();
    expect(() => parseConfig(environment)).toThrow(/has a problem:\n.*PUBLIC_URL/);
    const config = parseConfig({ ...environment, PUBLIC_URL: filledIn.PUBLIC_URL });
    expect(config).toMatchObject({ host: '0.0.0.0', port: 3_000, dataDir: '/var/lib/sluice', allowLocalRepos: false });
  });
});

describe('the unit for systemd', () => {
  const [, unit = ''] = /```ini\n(\[Unit\][\s\S]*?)```/.exec(read('docs/deployment.md')) ?? [];

  it('denies the service nothing that bubblewrap needs', () => {
    expect(unit).toMatch(/^LimitCORE=0$/m);
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
    // Each of these breaks something that docs/deployment.md names.
    expect(unit).not.toMatch(
      /^(?:ProtectKernelTunables|ProtectKernelLogs|ProcSubset|ProtectProc|RestrictNamespaces|ProtectHostname|ProtectControlGroups|MemoryDenyWriteExecute|PrivateUsers)=/m,
    );
    expect(unit).not.toMatch(/^SystemCallFilter=~.*@(?:mount|process|privileged)/m);
  });

  it('is accepted by systemd, which rates its exposure low', (context) => {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
      context.skip('systemd-analyze is not on this machine: the unit was not run through it');
    }
    const folder = mkdtempSync(join(tmpdir(), 'sluice-unit-'));
    try {
      const file = join(folder, 'sluice.service');
      writeFileSync(file, unit.replaceAll('/usr/bin/node', '/usr/bin/env node'));
      const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      expect([verified.status, verified.stderr]).toEqual([0, '']);
      // Tenths; it stands at 34, and was at 92 before it was hardened.
      const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=40', file]);
      expect(rated.status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

interface ComposeFile {
  readonly services: Readonly<Record<string, { readonly environment: Environment; readonly networks: string[] }>>;
  readonly networks: { readonly front: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } } };
}

describe('compose.yaml', () => {
  const compose: ComposeFile = parse(read('deploy/compose.yaml'), { merge: true });
  const environmentOf = (service: string): Environment => {
    const given = Object.entries(compose.services[service]?.environment ?? {});
    const expand = (text: string) => text.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => filledIn[name] ?? '');
    return {
      ...imageEnvironment(),
      ...filledIn,
      ...Object.fromEntries(given.map(([key, text]) => [key, expand(text)])),
    };
  };

  it.each(['api', 'worker'])('gives the %s processes a configuration that they accept', (role) => {
    const config = parseConfig(environmentOf(role));
    expect(config).toMatchObject({ role, redisUrl: 'redis://redis:6379', allowLocalRepos: false });
    expect(config.registration).toBe('first-user');
    expect(config.databaseUrl).toBe('postgres://sluice:0123456789abcdef@postgres:5432/sluice');
  });

  it('trusts the addresses that the proxy reports, and none from outside their shared network', () => {
    const [front] = compose.networks.front.ipam.config;
    expect(parseConfig(environmentOf('api')).trustProxy).toEqual([front?.subnet]);
    const inFront = Object.entries(compose.services).filter(([, { networks }]) => networks.includes('front'));
    expect(inFront.map(([name]) => name)).toEqual(['api', 'proxy']);
    expect(parseConfig(environmentOf('worker')).trustProxy).toEqual([]);
  });

  it('is accepted by docker compose', (context) => {
    if (spawnSync('docker', ['compose', 'version']).status !== 0) context.skip('docker compose is not on this machine');
    const folder = mkdtempSync(join(tmpdir(), 'sluice-compose-'));
    try {
      cpSync(join(root, 'deploy'), folder, { recursive: true });
      writeFileSync(join(folder, '.env'), Object.entries(filledIn).map(([key, text]) => `${key}=${text}\n`).join('')); // biome-ignore format: one thought
      const checked = spawnSync('docker', ['compose', '-f', join(folder, 'compose.yaml'), 'config', '--quiet'], {
        encoding: 'utf8',
      });
      expect(checked).toMatchObject({ status: 0, stdout: '', stderr: '' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Environment;
  readonly stringData?: Environment;
  readonly spec?: { readonly template?: PodTemplate };
}

interface PodTemplate {
  readonly metadata?: { readonly annotations?: Environment };
  readonly spec: { readonly containers: readonly Container[] };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}

/** The schemas of the kinds that the manifests use. */
const schemas: Readonly<Record<string, () => Promise<object>>> = {
  v1: () => import('kubernetes-models/v1'),
  'apps/v1': () => import('kubernetes-models/apps/v1'),
  'batch/v1': () => import('kubernetes-models/batch/v1'),
  'networking.k8s.io/v1': () => import('kubernetes-models/networking.k8s.io/v1'),
  'policy/v1': () => import('kubernetes-models/policy/v1'),
};

async function schemaOf({ apiVersion, kind }: Manifest): Promise<new (manifest: object) => { validate(): void }> {
  const models = (await schemas[apiVersion]?.()) ?? {};
  return (models as Record<string, new (manifest: object) => { validate(): void }>)[kind]!;
}

describe('the manifests for Kubernetes', () => {
  const folder = 'deploy/kubernetes';
  const manifests = readdirSync(join(root, folder))
    .filter((name) => name !== 'kustomization.yaml')
    .flatMap((name) =>
      parseAllDocuments(read(`${folder}/${name}`)).map((document, index) => ({
        name: `${name}[${index}]`,
        manifest: document.toJS() as Manifest,
      })),
    );
  const all = manifests.map(({ manifest }) => manifest);

  it.each(manifests)('has a valid $manifest.kind in $name', async ({ manifest }) => {
    const Model = await schemaOf(manifest);
    expect(() => new Model(manifest).validate()).not.toThrow();
    // The schemas let a key pass that they do not know, so a value that they do know is spoilt to see that they look.
    const broken = { ...manifest, metadata: 7 };
    expect(() => new Model(broken).validate()).toThrow();
  });

  const kustomization = parse(read(`${folder}/kustomization.yaml`));

  it('names every manifest that is applied as a whole', () => {
    const files = readdirSync(join(root, folder)).filter((name) => name !== 'kustomization.yaml');
    expect([...kustomization.resources, 'secret.example.yaml'].sort()).toEqual(files.sort());
  });

  it('runs one image, whose tag names the Job that migrates: a Job cannot be changed', () => {
    const images = all.flatMap(({ spec }) => spec?.template?.spec.containers ?? []).map(({ image }) => image);
    expect(images).toEqual(Array(3).fill('sluice'));
    const [{ name, newTag }] = kustomization.images;
    expect([name, newTag]).toEqual(['sluice', expect.any(String)]);
    const job = all.find(({ kind }) => kind === 'Job');
    const [{ source, targets }] = kustomization.replacements;
    expect(source).toMatchObject({ kind: 'Job', options: { delimiter: ':', index: 1 } });
    const [{ options }] = targets;
    expect(job?.metadata.name.split(options.delimiter)[options.index]).toBe('TAG');
  });

  it('is built by kustomize as it says', (context) => {
    const built = spawnSync('kubectl', ['kustomize', join(root, folder)], { encoding: 'utf8' });
    if (built.error !== undefined) context.skip('kubectl is not on this machine');
    expect(built.stderr).toBe('');
    const objects = parseAllDocuments(built.stdout).map((document) => document.toJS() as Manifest);
    const [{ newName, newTag }] = kustomization.images;
    const used = objects.flatMap(({ spec }) => spec?.template?.spec.containers ?? []).map(({ image }) => image);
    expect(used).toEqual(Array(3).fill(`${newName}:${newTag}`));
    const jobs = objects.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name);
    expect(jobs).toEqual([`sluice-migrate-${newTag}`]);
  });

  it('lets Prometheus find the metrics of every pod that has some', () => {
    const pods = all.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec?.template);
    const port = all.find(({ kind }) => kind === 'ConfigMap')?.data?.METRICS_PORT;
    for (const pod of pods) {
      expect(pod?.metadata?.annotations).toMatchObject({ 'prometheus.io/scrape': 'true', 'prometheus.io/port': port });
      expect(pod?.spec.containers[0]?.ports).toContainEqual({ name: 'metrics', containerPort: Number(port) });
    }
    expect(pods).toHaveLength(2);
  });

  it('gives every container a configuration that the service accepts', () => {
    const environment = { ...imageEnvironment(), ...all.find(({ kind }) => kind === 'ConfigMap')?.data };
    const example = all.find(({ kind }) => kind === 'Secret')?.stringData;
    expect(() => parseConfig({ ...environment, ...example })).toThrow(
      /3 problems:\n.*SESSION_SECRET.*\n.*ENCRYPTION_KEYS.*\n.*ANTHROPIC_API_KEY/,
    );
    const containers = all.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
    expect(containers.map(({ name }) => name)).toEqual(['api', 'migrate', 'worker']);
    for (const { name, env = [] } of containers) {
      const own = Object.fromEntries(env.map(({ name: key, value }) => [key, value]));
      const config = parseConfig({ ...environment, ...example, ...ownSecrets, ...own });
      expect(config.role).toBe(name === 'migrate' ? 'all' : name);
      expect(config.registration).toBe('first-user');
    }
  });
});
