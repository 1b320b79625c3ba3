// The arrows between the packages, as data. Whatever is not in this table fails the check.
const { existsSync, readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const folderOrder = require('./scripts/folder-order.cjs');

/** Package -> what its source may import from ours. `types` may be imported as types only, `tests` by its tests only. */
const arrows = {
  'packages/core': { imports: [] },
  'packages/db': { imports: ['packages/core'] },
  'packages/test-integrity': { imports: ['packages/core'] },
  'packages/agents': { imports: ['packages/core'], tests: ['packages/workspace', 'packages/test-integrity'] },
  'packages/workspace': { imports: ['packages/core', 'packages/test-integrity'], tests: ['packages/sandbox'] },
  'packages/sandbox': { imports: ['packages/core'] },
  'packages/code-search': { imports: ['packages/core'], tests: ['packages/agents'] },
  'packages/code-host': { imports: ['packages/core'] },
  'packages/redis': { imports: ['packages/core'] },
  'packages/notify': { imports: ['packages/core'] },
  'packages/oidc': { imports: ['packages/core'] },
  'packages/dns': { imports: ['packages/core'] },
  'packages/api': { imports: ['packages/core'] },
  'packages/worker': {
    imports: ['packages/core', 'packages/test-integrity'],
    tests: ['packages/notify', 'packages/code-host'],
  },
  'packages/testing': { imports: ['packages/core'] },
  'packages/fake-code-host': { imports: ['packages/core'] },
  'packages/client': { imports: [], types: ['packages/api'] },
  'apps/server': { imports: ['packages/core', 'packages/api'] },
  'apps/cli': { imports: ['packages/core', 'packages/client', 'apps/server'], tests: ['packages/api'] },
  'apps/web': { imports: ['packages/client'], tests: ['apps/server'] },
  // It composes a service of its own, with an outside in memory.
  sim: { imports: ['packages/core', 'packages/api', 'packages/db', 'packages/worker'] },
  // It starts the whole service and uses it as a client does, and asks models and runs commands for the baseline.
  'bench/agents': {
    imports: [
      'packages/core',
      'packages/agents',
      'packages/client',
      'packages/sandbox',
      'packages/test-integrity',
      'packages/testing',
      'apps/server',
    ],
  },
};

/** Where the parts that meet in core's ports are put together: `compose.ts`, and what it opens in `compose/`. */
const composer = {
  path: '^apps/server/src/compose(/|\\.ts$)',
  imports: [
    'db',
    'agents',
    'workspace',
    'sandbox',
    'code-search',
    'code-host',
    'notify',
    'oidc',
    'dns',
    'redis',
    'worker',
  ],
};

/** Tests may import this besides what the source beside them may. */
const forTests = ['packages/core', 'packages/testing', 'packages/fake-code-host', 'packages/db', 'packages/redis'];

/** The outside packages that the domain knows: pure functions, each with its reason in ADR 6. */
const coreMayUse = ['zod', 'markdown-it'];

const everyPackage = Object.keys(arrows);
const either = (names) => `(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`;
const forTestsOnly = '^packages/(testing|fake-code-host)/';
const test = '(\\.(test|contract)\\.tsx?$|/test/|/bench/)';

function without(...allowed) {
  return everyPackage.filter((name) => !allowed.flat().includes(name));
}

/** The files that a package's `exports` name: its doors. Anything else in it is its own affair. */
function doors() {
  return ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(__dirname, folder)).flatMap((name) => {
      const manifest = join(__dirname, folder, name, 'package.json');
      if (!existsSync(manifest)) return []; // a removed package leaves its node_modules behind
      const { exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
      return Object.values(exports).map((file) => `${folder}/${name}/${String(file).replace('./', '')}`);
    }),
  );
}

function arrowRules([name, { imports, types = [], tests = [] }]) {
  const source = { path: `^${name}/`, pathNot: [test, composer.path] };
  const rules = [
    {
      name: `${name} -> ${[...imports, ...types.map((type) => `${type} (types)`)].join(', ') || 'nothing of ours'}`,
      severity: 'error',
      from: source,
      to: { path: `^${either(without(name, imports, types))}/` },
    },
  ];
  if (types.length > 0) {
    rules.push({
      name: `${name} -> ${types.join(', ')} as types only`,
      severity: 'error',
      from: source,
      to: { path: `^${either(types)}/`, dependencyTypesNot: ['type-only'] },
    });
  }
  // The server's tests start the whole of it, so they see the whole of it.
  if (name !== 'apps/server') {
    rules.push({
      name: `tests of ${name} -> the same and ${[...forTests, ...tests].join(', ')}`,
      severity: 'error',
      from: { path: `^${name}(?=/).*${test}` },
      to: { path: `^${either(without(name, imports, types, tests, forTests))}/` },
    });
  }
  return rules;
}

function foldersOf(src, folder = '.') {
  const entries = readdirSync(join(__dirname, src, folder), { withFileTypes: true });
  const here = entries.some(({ name }) => /(?<!\.test)\.tsx?$/.test(name)) ? [folder] : [];
  const below = entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'test')
    .map(({ name }) => join(folder, name));
  return [...here, ...below.flatMap((name) => foldersOf(src, name))];
}

function folderRules([name, order]) {
  const src = `${name}/src`;
  const unlisted = foldersOf(src).filter((folder) => !order.includes(folder));
  if (unlisted.length > 0) throw new Error(`folderOrder has no place for ${unlisted.join(', ')} of ${src}.`);
  const filesOf = (folder) => (folder === '.' ? '' : `${folder.replaceAll('.', '\\.')}/`);
  return order.map((folder, place) => ({
    name: `${src}: ${folder} imports only what stands before it in folderOrder`,
    severity: 'error',
    from: { path: `^${src}/${filesOf(folder)}[^/]+$`, pathNot: test },
    to: {
      path: `^${src}/`,
      pathNot: `^${src}/(${order
        .slice(0, place + 1)
        .map(filesOf)
        .join('|')})[^/]+$`,
    },
  }));
}

module.exports = {
  forbidden: [
    ...Object.entries(arrows).flatMap(arrowRules),
    ...Object.entries(folderOrder).flatMap(folderRules),
    {
      name: 'core imports its own files, not its doors',
      severity: 'error',
      from: { path: '^packages/core/(src|test)/' },
      to: { path: '^packages/core/src/[^/]+/index[.]ts$' },
    },
    {
      name: 'only compose puts the adapters together',
      severity: 'error',
      from: { path: composer.path, pathNot: test },
      to: {
        path: `^${either(
          without(
            'apps/server',
            arrows['apps/server'].imports,
            composer.imports.map((name) => `packages/${name}`),
          ),
        )}/`,
      },
    },
    {
      name: 'only tests import packages/testing and packages/fake-code-host',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: [test, forTestsOnly] },
      to: { path: forTestsOnly },
    },
    {
      name: 'no source imports a test',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: [test, forTestsOnly] },
      to: { path: `^(packages|apps)/.*${test}` },
    },
    {
      name: 'a package is entered by its door',
      comment: 'Import what the other package exports, not a file inside it.',
      severity: 'error',
      from: { path: '^((packages|apps)/[^/]+)/' },
      to: {
        path: '^(packages|apps)/[^/]+/',
        pathNot: ['^$1/', ...doors().map((file) => `^${file.replace('*', '[^/]+')}$`)],
      },
    },
    {
      name: `core uses ${coreMayUse.join(', ')} alone`,
      severity: 'error',
      from: { path: '^packages/core/', pathNot: test },
      to: { path: 'node_modules/', pathNot: `node_modules/${either(coreMayUse)}/` },
    },
    {
      name: 'core does no I/O',
      severity: 'error',
      from: { path: '^packages/core/', pathNot: test },
      // They compute and touch nothing: hashes, checksums, and the spelling of paths.
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|path|zlib)$' },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'every import resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.d.ts'],
    },
  },
};
