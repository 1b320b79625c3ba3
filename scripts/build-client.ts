// Builds what people install to write a client: `node scripts/build-client.ts --out FOLDER`, then `npm pack` there.
// Plain JavaScript that needs no other package, and declarations that stand on their own. Why so: docs/adr/0016.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { printServerCalls } from '../packages/api/src/openapi/print-server-calls.ts';
import { bundledPackages } from './build/bundled-packages.ts';
import { thirdPartyNotices } from './build/third-party-notices.ts';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const source = join(root, 'packages/client');
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist/client') } } });
const out = resolve(values.out);
const entries = ['index', 'file-cookies'];
/** Entries of types alone, and what they may import from elsewhere: an optional peer. */
const typeEntries = ['app-router'];
const PEER = '@trpc/server';

async function bundle(): Promise<string[]> {
  await using build = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(source, `src/${name}.ts`)])),
    platform: 'neutral',
    external: [/^node:/],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await build.write({ dir: out, format: 'esm', minify: false, chunkFileNames: 'shared-[hash].js' });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** Declarations of the sources, with the one file that knows the router's type replaced by what it comes to. */
function declare(): void {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-client-'));
  try {
    cpSync(join(source, 'src'), join(folder, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
    writeFileSync(join(folder, 'src/server-calls.ts'), printServerCalls());
    copyFileSync(join(source, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(source, 'node_modules'), join(folder, 'node_modules'));
    const options = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        stripInternal: true,
        typeRoots: [join(root, 'node_modules/@types')],
        rootDir: 'src',
        outDir: 'types',
      },
      include: ['src'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { status } = spawnSync(process.execPath, [compiler, '-p', folder], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error('The declarations could not be made.');
    for (const name of reachable(join(folder, 'types'))) {
      const text = readFileSync(join(folder, 'types', name), 'utf8');
      writeFileSync(join(out, name), text.replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The declarations that the entries lead to; what only the code needs stays out. */
function reachable(folder: string): Set<string> {
  const found = new Set<string>();
  const follow = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, from = ''] of text.matchAll(/from '([^']+)'/g)) {
      if (from === PEER && typeEntries.includes(name.replace('.d.ts', ''))) continue;
      if (!from.startsWith('./'))
        throw new Error(`The declaration ${name} needs ${from}: it does not stand on its own.`);
      follow(from.slice(2).replace(/\.ts$/, '.d.ts'));
    }
  };
  for (const name of [...entries, ...typeEntries]) follow(`${name}.d.ts`);
  return found;
}

/** Without what is only about this repository, and without links to its files. */
function publishedReadme(): string {
  const [text = ''] = readFileSync(join(source, 'README.md'), 'utf8').split('\n## In this repository\n');
  return text.replaceAll(/\[([^\]]+)\]\(\.[^)]*\)/g, '$1');
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const modules = await bundle();
declare();
const { name, version, description, license, keywords } = JSON.parse(
  readFileSync(join(source, 'package.json'), 'utf8'),
);
const exportsOf = (file: string) => ({ types: `./${file}.d.ts`, default: `./${file}.js` });
const manifest = {
  name,
  version,
  description,
  license,
  keywords,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.3' }, // AbortSignal.any
  exports: {
    '.': exportsOf('index'),
    './file-cookies': exportsOf('file-cookies'),
    './app-router': { types: './app-router.d.ts' },
    './package.json': './package.json',
  },
  peerDependencies: { [PEER]: '^11.0.0' },
  peerDependenciesMeta: { [PEER]: { optional: true } },
  publishConfig: { access: 'public' },
  files: readdirSync(out)
    .filter((file) => /\.(js|d\.ts)$/.test(file))
    .concat('THIRD-PARTY-NOTICES.txt'),
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(join(out, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(bundledPackages(modules)));
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
writeFileSync(join(out, 'README.md'), publishedReadme());
console.log(`built ${modules.length} modules into ${out}`);
