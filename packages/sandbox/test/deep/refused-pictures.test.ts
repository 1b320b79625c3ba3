import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { pngOf } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBwrapSandbox } from '../../src/bwrap/bwrap-sandbox.ts';
import { createPictureCodec } from '../../src/pictures/picture-codec.ts';

// Usual way: packages/sandbox/src/pictures/picture-codec.test.ts

let scratchRoot: string;
beforeAll(async () => {
  scratchRoot = await mkdtemp(join(tmpdir(), 'sluice-pictures-'));
});
afterAll(() => rm(scratchRoot, { recursive: true, force: true }));

it.each([
  [
    'a head of two thousand million pixels on each side',
    pngOf({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }, deflateSync(Buffer.alloc(9))),
    'image/png',
  ],
  ['a head without pixels', pngOf({ width: 0, height: 0 }, deflateSync(Buffer.alloc(9))), 'image/png'],
  [
    'a head that claims more than there is',
    pngOf({ width: 900, height: 900 }, deflateSync(Buffer.alloc(9))),
    'image/png',
  ],
  [
    'data that end in the middle',
    pngOf({ width: 20, height: 20 }, deflateSync(Buffer.alloc(64 << 20))).subarray(0, 9_000),
    'image/png',
  ],
  ['an odd depth', pngOf({ width: 20, height: 20, depth: 77 }, deflateSync(Buffer.alloc(900))), 'image/png'],
  ['a signature alone', Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
  ['nothing', Buffer.alloc(0), 'image/png'],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>'), 'image/png'],
  ['a RIFF that is no WebP', Buffer.from('RIFF\u0004\0\0\0WAVEfmt '), 'image/webp'],
  ['HTML behind the first bytes of a JPEG', Buffer.from('ffd8ffe0', 'hex'), 'image/jpeg'],
] as const)('refuses %s', async (_what, content, mediaType) => {
  const sandbox = createBwrapSandbox({ readPaths: [], path: process.env.PATH ?? '', hideRoots: [], scratchRoot });
  const { signal } = new AbortController();
  const refused = createPictureCodec(sandbox, { scratchRoot }).draw({ content, mediaType, signal });
  await expect(refused).rejects.toMatchObject({
    code: expect.stringMatching(/^attachment_(?:unreadable|too_large)$/),
  });
});
