import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** Reads an API description that others made, as a script cut it to what the tests use: `scripts/cut-code-host-api.ts`. */
export function readDescription(name: 'codehost-api'): Record<string, unknown> {
  const file = new URL(`./fixtures/${name}.json.br`, import.meta.url);
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
}
