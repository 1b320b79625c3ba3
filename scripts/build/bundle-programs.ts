import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { external } from './binary-packages.ts';
import { useCompileCache } from './compile-cache.ts';
import { filesBeside } from './files-beside.ts';
import { packagesOnDemand } from './packages-on-demand.ts';
import { enlargeThreadPool } from './thread-pool.ts';

/** The programs and the names of their files, without `.js`. */
const programs: Readonly<Record<string, string>> = {
  server: 'apps/server/src/main.ts',
  sluice: 'apps/cli/src/main.ts',
};

interface Bundling {
  readonly root: string;
  readonly out: string;
  /** Whether it runs in this checkout only: stack traces then name the sources, and the console is not copied. */
  readonly inCheckout: boolean;
}

/**
 * Bundles the programs with what they depend on, except for the binary packages.
 *
 * @returns the files that the bundle was made from
 */
export async function bundlePrograms({ root, out, inCheckout }: Bundling): Promise<string[]> {
  const intro = `${useCompileCache}\n${enlargeThreadPool}`;
  await using build = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(root, path)])),
    platform: 'node',
    // Both are tried by their packages and may be absent, as they are.
    external: [...external, 'pg-native', 'pg-cloudflare'],
    plugins: [packagesOnDemand(root), filesBeside(root, { withConsole: !inCheckout })],
    onLog: (level, log) => {
      if (level === 'warn') console.error(`build: ${log.message}`);
    },
  });
  const { output } = await build.write({
    dir: out,
    format: 'esm',
    // Names that people can read in a stack trace; nothing fetches these files over a network.
    minify: false,
    sourcemap: inCheckout,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    intro: ({ isEntry, name }) => (isEntry && Object.hasOwn(programs, name) ? intro : ''),
    chunkFileNames: '[name]-[hash].js',
  });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : file.originalFileNames));
}
