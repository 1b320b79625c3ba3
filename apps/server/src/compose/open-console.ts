import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConsoleAsset, ConsoleFiles } from '@sluice/api';

/**
 * Reads the console as it was built: in a checkout by `npm start`, otherwise with the program. It is read once, so that
 * another build below a running server does not take away what open pages still ask for.
 *
 * @returns null where it was not built
 */
export async function openConsole(
  folder = fileURLToPath(new URL('../../../web/dist/', import.meta.url)),
): Promise<ConsoleFiles | null> {
  try {
    const assets = join(folder, 'assets');
    const [html, names] = await Promise.all([readFile(join(folder, 'index.html'), 'utf8'), readdir(assets)]);
    const readIfThere = (name: string) => (names.includes(name) ? readFile(join(assets, name)) : null);
    const read = async (name: string): Promise<[string, ConsoleAsset]> => {
      const [body, br, gzip] = await Promise.all([
        readFile(join(assets, name)),
        readIfThere(`${name}.br`),
        readIfThere(`${name}.gz`),
      ]);
      return [`/assets/${name}`, { body, br, gzip }];
    };
    const plain = names.filter((name) => !/\.(br|gz)$/.test(name));
    return { html, assets: new Map(await Promise.all(plain.map(read))) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
