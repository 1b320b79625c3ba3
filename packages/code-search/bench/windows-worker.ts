// A parsing thread that does not parse: what the index would be with windows of lines alone.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { chunkFile } from '../src/lexical/chunk-file.ts';
import type { ChunkedBlob } from '../src/lexical/index-protocol.ts';
import type { ParseRequest } from '../src/lexical/parse-protocol.ts';

function serveWindows(port: MessagePort): void {
  port.on('message', async ({ id, operation, input }: ParseRequest) => {
    const chunks: ChunkedBlob[] = [];
    if (operation === 'chunk') {
      for (const file of input.files) chunks.push({ blob: file.blob, chunks: await chunkFile(null, file) });
    }
    port.postMessage({ id, value: chunks });
  });
}

if (parentPort !== null) serveWindows(parentPort);
