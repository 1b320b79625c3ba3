// The thread that parses. A file that kills it or keeps it for ever takes nothing with it but its own symbols: the
// index's connection is in another thread.
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { ThreadReply } from '../thread/thread-reply.ts';
import { chunkFile, outlineFile } from './chunk-file.ts';
import type { ChunkedBlob } from './index-protocol.ts';
import type { BlobFile, ParseRequest } from './parse-protocol.ts';
import { syntaxFaults } from './syntax/syntax-faults.ts';
import { createSyntaxParser, type SyntaxParser } from './syntax/syntax-parser.ts';
import { wordVectors } from './word-vector.ts';

// A message of ordinary files takes a tenth of a second. Of files made to be slow the rest is cut by lines.
const MESSAGE_MS = 10_000;
// WebAssembly's memory never shrinks. Ordinary files need a fifth of this.
const MAX_EXTERNAL_BYTES = 256 * 1_024 * 1_024;

function serveParser(port: MessagePort, parser: SyntaxParser): void {
  const chunked = async (files: readonly BlobFile[], isParsed: boolean): Promise<ChunkedBlob[]> => {
    const until = performance.now() + MESSAGE_MS;
    const done: ChunkedBlob[] = [];
    for (const file of files) {
      const chunks = await chunkFile(isParsed && performance.now() < until ? parser : null, file);
      done.push({ blob: file.blob, chunks });
    }
    return done;
  };
  const answer = async ({ operation, input }: ParseRequest): Promise<unknown> => {
    switch (operation) {
      case 'chunk':
        return chunked(input.files, input.parse);
      case 'count':
        return wordVectors(input.chunks, input.mark);
      case 'outline':
        return outlineFile(parser, input);
      case 'faults':
        return syntaxFaults(parser, input);
      case 'close':
        return null;
    }
  };
  port.on('message', async (request: ParseRequest) => {
    // An error of the parser ends the thread as an unhandled rejection, because its memory cannot be trusted any more.
    const value = await answer(request);
    const isSpent = process.memoryUsage().external > MAX_EXTERNAL_BYTES;
    port.postMessage({ id: request.id, value, spent: isSpent } satisfies ThreadReply);
  });
  port.postMessage({ up: true } satisfies ThreadReply);
}

// Node warns that its parser of TypeScript is experimental, which is no news for an operator.
process.removeAllListeners('warning');

if (parentPort !== null) serveParser(parentPort, await createSyntaxParser());
