import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import type { Plugin, PluginContext } from 'rolldown';
import { transformSync } from 'rolldown/utils';

interface Reference {
  readonly pattern: RegExp;
  /** Emits what is named, and returns the name that it has beside the built files. */
  readonly emit: (context: PluginContext, folder: string, name: string) => string;
}

/** How our sources refer to a file beside them. A bundle is one flat folder, so all these files lie in it. */
const references: readonly Reference[] = [
  {
    // The code of a worker thread: a separate entry.
    pattern: /(?<=new URL\(')\.\/[\w-]+\.ts(?=', import\.meta\.url\))/g,
    emit: (context, folder, name) => {
      const fileName = `${basename(name, '.ts')}.js`;
      context.emitFile({ type: 'chunk', id: join(folder, name), fileName });
      return `./${fileName}`;
    },
  },
  {
    // A program that the sandbox mounts as a single file.
    pattern: /(?<=import\.meta\.resolve\(')\.\/[\w-]+\.mts(?='\))/g,
    emit: (context, folder, name) => {
      const fileName = `${basename(name, '.mts')}.mjs`;
      const originalFileName = join(folder, name);
      const { code: source } = transformSync(name, readFileSync(originalFileName, 'utf8'));
      context.emitFile({ type: 'asset', fileName, originalFileName, source });
      return `./${fileName}`;
    },
  },
  {
    pattern: /(?<=new URL\(')\.\/[\w-]+\.md(?=', import\.meta\.url\))/g,
    emit: (context, folder, name) => {
      const originalFileName = join(folder, name);
      const asset = { fileName: basename(name), originalFileName, source: readFileSync(originalFileName) };
      context.emitFile({ type: 'asset', ...asset });
      return `./${basename(name)}`;
    },
  },
  {
    // A file that a package serves unchanged: it is copied without its dependencies.
    pattern: /(?<=import\.meta\.resolve\(')swagger-ui-dist\/[\w.-]+(?='\))/g,
    emit: (context, folder, name) => {
      const originalFileName = createRequire(join(folder, 'here.js')).resolve(name);
      for (const path of [originalFileName, `${originalFileName}.LICENSE.txt`]) {
        if (!existsSync(path)) continue;
        context.emitFile({ type: 'asset', fileName: basename(path), originalFileName, source: readFileSync(path) });
      }
      return `./${basename(name)}`;
    },
  },
  {
    // A folder, of which a part is chosen at run time.
    pattern: /(?<=new URL\(`)(?:\.\.\/)+[\w-]+\/(?=\$\{\w+\}\/`, import\.meta\.url\))/g,
    emit: (context, folder, name) => {
      const from = join(folder, name);
      const fileName = basename(from);
      for (const file of readdirSync(from, { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue;
        const path = join(file.parentPath, file.name);
        const asset = { fileName: join(fileName, relative(from, path)), source: readFileSync(path) };
        context.emitFile({ type: 'asset', originalFileName: path, ...asset });
      }
      return `./${fileName}/`;
    },
  },
];

/** The built console, copied. What begins with a dot is about the build. */
const copiedConsole: Reference = {
  pattern: /(?<=new URL\(')(?:\.\.\/)+web\/dist\/(?=', import\.meta\.url\))/g,
  emit: (context, folder, name) => {
    const from = join(folder, name);
    for (const file of globSync(['index.html', 'assets/*'], { cwd: from })) {
      context.emitFile({ type: 'asset', fileName: `console/${file}`, source: readFileSync(join(from, file)) });
    }
    return './console/';
  },
};

/** The built console, of which a link is beside the built files: it is built apart from the programs. */
const linkedConsole: Reference = { pattern: copiedConsole.pattern, emit: () => './console/' };

/** Files of external packages are found by package name, which also works in a bundle that includes the package. */
const byPackage = /import\.meta\.resolve\('(?!swagger-ui-dist\/)[@\w][^']*'\)/g;

/**
 * Copies the files that our sources name by `import.meta` into the bundle. An unknown form of reference fails the build:
 * otherwise the file would be missed at run time.
 */
export function filesBeside(root: string, { withConsole }: { readonly withConsole: boolean }): Plugin {
  const all = [...references, withConsole ? copiedConsole : linkedConsole];
  const ours = ['packages', 'apps'].map((folder) => `${join(root, folder)}/`);
  return {
    name: 'files-beside',
    transform: {
      filter: { id: ours.map((folder) => new RegExp(`^${RegExp.escape(folder)}`)), code: 'import.meta' },
      handler(code, id) {
        let built = code;
        let known = [...code.matchAll(byPackage)].length;
        for (const { pattern, emit } of all) {
          built = built.replace(pattern, (name) => {
            known += 1;
            return emit(this, dirname(id), name);
          });
        }
        if ([...code.matchAll(/import\.meta\b/g)].length !== known) {
          throw new Error(
            `${relative(root, id)} refers to a file in an unknown form; add it to ${import.meta.filename}.`,
          );
        }
        return { code: built, map: null };
      },
    },
  };
}
