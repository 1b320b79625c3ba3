import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

interface BinaryPackage {
  /** The package of ours that depends on it. */
  readonly usedBy: string;
  /** The files of it that are needed to run, by paths in it; everything where it is left out. */
  readonly needs?: RegExp;
  /** The packages that it cannot do without, and that are not bundled either. */
  readonly brings?: readonly string[];
}

/** Packages that hold a binary, WebAssembly or native code and find it beside themselves: they stay packages. */
const binaryPackages: Readonly<Record<string, BinaryPackage>> = {
  // Its sources and SQLite's own are for compiling, which never happens: the binary is in the package.
  'better-sqlite3': { usedBy: 'packages/db', needs: /^(lib\/|LICENSE|prebuilds\/linux-)/ },
  'sqlite-vec': { usedBy: 'packages/code-search' },
  '@vscode/ripgrep': { usedBy: 'packages/workspace' },
  '@vscode/tree-sitter-wasm': { usedBy: 'packages/code-search', needs: /^LICENSE|^wasm\/.*\.(js|wasm)$/ },
  'web-tree-sitter': { usedBy: 'packages/code-search', needs: /^LICENSE|^web-tree-sitter\.(js|wasm)$/ },
  '@node-rs/argon2': { usedBy: 'packages/api' },
  // The sandbox mounts it with these, which lie beside it.
  sharp: { usedBy: 'packages/sandbox', brings: ['@img/colour', 'detect-libc', 'semver'] },
};

/** Imports that the bundle leaves as they are. */
export const external: readonly string[] = Object.keys(binaryPackages);

interface Manifest {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Copies the packages that are not bundled, with those of this platform that they bring, from what the lockfile has installed.
 *
 * @returns their names, with their versions
 * @throws Error when one of them is not installed
 */
export function copyBinaryPackages(root: string, target: string): Record<string, string> {
  const copied: Record<string, string> = {};
  for (const [name, { usedBy, needs = /./, brings = [] }] of Object.entries(binaryPackages)) {
    const from = realpathSync(join(root, usedBy, 'node_modules', name));
    copyPackage({ from, needs, to: join(target, name) });
    copied[name] = readManifest(from).version ?? '*';
    // pnpm lays what a package depends on beside it, and of the optional ones only those of this platform.
    const beside = from.slice(0, from.length - name.length);
    for (const optional of [...brings, ...Object.keys(readManifest(from).optionalDependencies ?? {})]) {
      const platform = join(beside, optional);
      if (!existsSync(platform)) continue;
      copyPackage({ from: realpathSync(platform), needs: /./, to: join(target, optional) });
      copied[optional] = readManifest(platform).version ?? '*';
    }
  }
  return copied;
}

/** Links the same packages, for a bundle that runs in this checkout. They find what they need beside their real folders. */
export function linkBinaryPackages(root: string, target: string): void {
  for (const [name, { usedBy }] of Object.entries(binaryPackages)) {
    const link = join(target, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), realpathSync(join(root, usedBy, 'node_modules', name))), link);
  }
}

function copyPackage({ from, needs, to }: { from: string; needs: RegExp; to: string }): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const inside = relative(from, path);
    if (!entry.isFile() || !(inside === 'package.json' || needs.test(inside))) continue;
    mkdirSync(dirname(join(to, inside)), { recursive: true });
    copyFileSync(path, join(to, inside)); // keeps the mode: one of them is a program
  }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
