import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { readConsoleSizes, requireBudget } from './console-sizes.ts';

const COMPRESSIBLE = /\.(js|css|svg|json|wasm|html|txt)$/;

/**
 * Builds the console into `apps/web/dist`, compressed, with a record of what it was built from. What was there before stays
 * until the new one is complete.
 *
 * @throws Error when the sources do not compile, or a page takes more script than it may
 */
export async function bundleConsole(root: string, stamp: string): Promise<void> {
  const web = join(root, 'apps/web');
  const made = join(web, 'node_modules/.console-in-the-making');
  const old = join(web, 'node_modules/.console-before');
  // A test runner sets it to something else, and React would come as it is for development.
  process.env.NODE_ENV = 'production';
  const modules = new Set<string>();
  await build({
    root: web,
    mode: 'production',
    logLevel: 'warn',
    plugins: [recordModules(modules)],
    worker: { plugins: () => [recordModules(modules)] },
    build: { outDir: made, emptyOutDir: true, manifest: true, reportCompressedSize: false },
  });
  const scripts = await compressAssets(made);
  const record = { stamp, modules: [...modules].map((id) => relative(root, id)).sort(), scripts };
  writeFileSync(join(made, '.built.json'), JSON.stringify(record));
  requireBudget(readConsoleSizes(made));
  rmSync(old, { recursive: true, force: true });
  mkdirSync(join(web, 'dist'), { recursive: true });
  renameSync(join(web, 'dist'), old);
  renameSync(made, join(web, 'dist'));
  rmSync(old, { recursive: true, force: true });
}

/** The files whose code is in the console, by which its licences are found. */
export function consoleModules(root: string): string[] {
  const { modules } = JSON.parse(readFileSync(join(root, 'apps/web/dist/.built.json'), 'utf8'));
  return (modules as string[]).map((path) => join(root, path));
}

function recordModules(modules: Set<string>): Plugin {
  return {
    name: 'record-modules',
    generateBundle: (_options, bundle) => {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        for (const id of file.moduleIds) if (id.startsWith('/')) modules.add(id.split('?', 1)[0] ?? id);
      }
    },
  };
}

/** Writes each asset compressed beside it, where that is smaller. @returns the sizes of the scripts by gzip */
async function compressAssets(folder: string): Promise<Record<string, number>> {
  const scripts: Record<string, number> = {};
  const names = readdirSync(join(folder, 'assets')).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, 'assets', name);
      const content = readFileSync(path);
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        promisify(gzip)(content, { level: 9 }),
      ]);
      if (name.endsWith('.js')) scripts[`assets/${name}`] = gz.length;
      for (const [suffix, compressed] of [['.br', br] as const, ['.gz', gz] as const]) {
        if (compressed.length < content.length) writeFileSync(path + suffix, compressed);
      }
    }),
  );
  return scripts;
}
