// A parsing thread in which some files do what no file should: `DIES HERE` ends it, `HANGS HERE` keeps it for ever.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { chunkFile, outlineFile } from '../chunk-file.ts';
import type { ParseRequest } from '../parse-protocol.ts';
import { syntaxFaults } from '../syntax/syntax-faults.ts';
import { createSyntaxParser, type SyntaxParser } from '../syntax/syntax-parser.ts';
import { wordVectors } from '../word-vector.ts';

const real = await createSyntaxParser();
const mortal: SyntaxParser = {
  read(source, read) {
    if (source.text.includes('DIES HERE')) throw new Error('memory access out of bounds');
    while (source.text.includes('HANGS HERE'));
    return real.read(source, read);
  },
};

function serve(port: MessagePort): void {
  port.on('message', async ({ id, operation, input }: ParseRequest) => {
    let value: unknown = null;
    if (operation === 'outline') value = await outlineFile(mortal, input);
    if (operation === 'faults') value = await syntaxFaults(mortal, input);
    if (operation === 'chunk') {
      const parser = input.parse ? mortal : null;
      const chunked = input.files.map(async (file) => ({ blob: file.blob, chunks: await chunkFile(parser, file) }));
      value = await Promise.all(chunked);
    }
    if (operation === 'count') value = wordVectors(input.chunks, input.mark);
    port.postMessage({ id, value });
  });
  port.postMessage({ up: true });
}

if (parentPort !== null) serve(parentPort);
