import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import type { Plugin } from 'rolldown';

/** Packages that a service may never use, or only after its start, by the names in our imports. */
const onDemand: readonly string[] = [
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@auth/core/jwt',
  '@auth/core/providers/github',
  '@octokit/core',
  '@octokit/plugin-retry',
  '@octokit/plugin-throttling',
  '@octokit/request-error',
  '@pydantic/genai-prices',
  'ai',
  'bottleneck/light.js',
  'chromadb',
  'diff',
  'drizzle-orm/node-postgres',
  'graphile-worker',
  'ioredis',
  'markdown-it',
  'oauth4webapi',
  'pg',
  'trpc-to-openapi',
];

const STAND_IN = '\0on-demand:';
const FILE = '\0on-demand-file:';
/** An `import` of this module reads its every export, and `WebSocket` loads all of undici; a `require` does not. */
const HTTP = '\0required:http';
const REQUIRE = '\0on-demand-require';
/** The name of a stand-in's default export: `default` of a CommonJS module would be the stand-in itself. */
const DEFAULT = 'onDemandDefault';

/**
 * Puts each of these packages into a file of its own, which is loaded when our code first uses one of its exports: loading
 * them took most of a start. Our sources keep their plain imports.
 *
 * The stand-in that our modules import is CommonJS with getters, so the bundler turns each use of an import into a read of
 * a property. `require` loads an ES module synchronously, so the reader need not wait.
 */
export function packagesOnDemand(root: string): Plugin {
  const ours = ['packages', 'apps'].map((folder) => join(root, folder));
  const names = importedNames(ours);
  const found = new Map<string, string>();
  return {
    name: 'packages-on-demand',
    resolveId: {
      order: 'pre',
      filter: { id: [...names.keys(), 'node:http', REQUIRE].map((name) => exactly(name)).concat(startingWith(FILE)) },
      async handler(source, importer) {
        if (source === REQUIRE || source.startsWith(FILE)) return source;
        if (source === 'node:http' && importer !== HTTP) return HTTP;
        if (!names.has(source) || !ours.some((folder) => importer?.startsWith(`${folder}/`))) return null;
        const real = await this.resolve(source, importer, { skipSelf: true });
        if (real === null) return null;
        if (!found.has(source)) {
          found.set(source, real.id);
          this.emitFile({ type: 'chunk', id: `${FILE}${source}`, fileName: fileOf(source) });
        }
        return `${STAND_IN}${source}`;
      },
    },
    load: {
      filter: { id: [exactly(REQUIRE), exactly(HTTP), startingWith(STAND_IN), startingWith(FILE)] },
      handler(id) {
        if (id === REQUIRE) return requireBeside;
        if (id === HTTP) return `module.exports = require('node:http');`;
        if (id.startsWith(STAND_IN)) return standIn(id.slice(STAND_IN.length), names);
        if (!id.startsWith(FILE)) return null;
        const source = id.slice(FILE.length);
        return `export { ${exportsOf(source, names).join(', ')} } from ${JSON.stringify(found.get(source))};`;
      },
    },
    transform: {
      order: 'pre',
      filter: { id: ours.map((folder) => startingWith(`${folder}/`)), code: new RegExp(DEFAULT_IMPORT, 'm') },
      handler(code) {
        const renamed = code.replace(
          new RegExp(DEFAULT_IMPORT, 'gm'),
          (line, ...[name, others, source = '']: string[]) =>
            names.has(source) ? `import { ${DEFAULT} as ${name}, ${others ?? ''} } from '${source}';` : line,
        );
        return renamed === code ? null : { code: renamed, map: null };
      },
    },
  };
}

const exactly = (name: string) => new RegExp(`^${RegExp.escape(name)}$`);
const startingWith = (prefix: string) => new RegExp(`^${RegExp.escape(prefix)}`);

/** A default import, in one line. */
const DEFAULT_IMPORT = /^import (\w+)(?:, \{(.*)\})? from '([^']+)';$/;

const requireBeside = `import { createRequire } from 'node:module';
export const requireBeside = createRequire(import.meta.url);`;

function fileOf(source: string): string {
  return `on-demand-${source.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-')}.js`;
}

function standIn(source: string, names: ImportedNames): string {
  const getters = exportsOf(source, names).map(
    (name) => `get ${name === 'default' ? DEFAULT : name}() { return load().${name}; },`,
  );
  return `const { requireBeside } = require(${JSON.stringify(REQUIRE)});
const load = () => requireBeside('./${fileOf(source)}');
module.exports = { ${getters.join(' ')} };`;
}

type ImportedNames = ReadonlyMap<string, ReadonlySet<string>>;

function exportsOf(source: string, names: ImportedNames): string[] {
  return [...(names.get(source) ?? [])].sort();
}

/** What our modules import of each package on demand, without types. */
function importedNames(folders: readonly string[]): ImportedNames {
  const names = new Map<string, Set<string>>();
  for (const file of folders.flatMap(sourcesIn)) {
    const code = readFileSync(file, 'utf8');
    const { staticImports, staticExports, dynamicImports } = parseSync(file, code).module;
    for (const { moduleRequest } of staticExports.flatMap(({ entries }) => entries.filter(({ isType }) => !isType))) {
      if (moduleRequest !== null && onDemand.includes(moduleRequest.value))
        throw new Error(`${file} exports from ${moduleRequest.value}: import names, so that it loads on demand.`);
    }
    for (const { moduleRequest } of dynamicImports) {
      const source = code.slice(moduleRequest.start + 1, moduleRequest.end - 1);
      if (onDemand.includes(source))
        throw new Error(`${file} calls import('${source}'): import names, and it loads on demand.`);
    }
    for (const { moduleRequest, entries, start, end } of staticImports) {
      if (!onDemand.includes(moduleRequest.value)) continue;
      for (const { importName, isType } of entries) {
        if (isType) continue;
        if (importName.kind === 'Default' && !DEFAULT_IMPORT.test(code.slice(start, end)))
          throw new Error(`${file} imports ${moduleRequest.value} in several lines: write its default import in one.`);
        if (importName.kind === 'NamespaceObject')
          throw new Error(`${file} imports all of ${moduleRequest.value}: import names, so that it loads on demand.`);
        const known = names.get(moduleRequest.value) ?? new Set();
        names.set(moduleRequest.value, known.add(importName.kind === 'Default' ? 'default' : String(importName.name)));
      }
    }
  }
  return names;
}

function sourcesIn(folder: string): string[] {
  return globSync('*/src/**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(folder, file));
}
