import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { PictureType } from '@sluice/core/attachment';
import { pngOf } from '@sluice/testing';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBareSandbox } from '../bare/bare-sandbox.ts';
import { createBwrapSandbox } from '../bwrap/bwrap-sandbox.ts';
import { createPictureCodec } from './picture-codec.ts';

let scratchRoot: string;
beforeAll(async () => {
  scratchRoot = await mkdtemp(join(tmpdir(), 'sluice-pictures-'));
});
afterAll(() => rm(scratchRoot, { recursive: true, force: true }));

const path = process.env.PATH ?? '';
const codec = () =>
  createPictureCodec(createBwrapSandbox({ readPaths: [], path, hideRoots: [], scratchRoot }), { scratchRoot });

function draw(content: Uint8Array, mediaType: PictureType, signal = new AbortController().signal) {
  return codec().draw({ content, mediaType, signal });
}

/** A red picture with a white stripe down its middle. */
function stripe(width = 60, height = 40) {
  const white = { create: { width: 10, height, channels: 3, background: '#ffffff' } } as const;
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    { input: white, left: 25, top: 0 },
  ]);
}

async function pixelAt(content: Uint8Array, left: number): Promise<number[]> {
  const { data } = await sharp(content)
    .removeAlpha()
    .extract({ left, top: 5, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}

it.each([
  ['image/png', 'image/png', () => stripe().png()],
  ['image/jpeg', 'image/jpeg', () => stripe().jpeg()],
  ['image/webp', 'image/webp', () => stripe().webp()],
  ['image/gif', 'image/png', () => stripe().gif()],
] as const)('draws a picture of type %s again, as %s', async (mediaType, drawnAs, make) => {
  const drawn = await draw(await make().toBuffer(), mediaType);
  expect(drawn).toMatchObject({ mediaType: drawnAs, width: 60, height: 40 });
  const [red, green] = await pixelAt(drawn.content, 5);
  expect(red).toBeGreaterThan(200);
  expect(green).toBeLessThan(60);
  expect(Math.min(...(await pixelAt(drawn.content, 30)))).toBeGreaterThan(200);
});

it('keeps nothing but the pixels: no metadata, and no bytes behind the picture', async () => {
  const secret = 'SECRET-PLACE';
  const tagged = await stripe()
    .withExif({ IFD0: { ImageDescription: secret } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(tagged.includes(secret)).toBe(true);
  const polyglot = Buffer.concat([tagged, Buffer.from(`<script>${secret}</script>PK\u0003\u0004${secret}`)]);
  const drawn = await draw(polyglot, 'image/jpeg');
  expect(Buffer.from(drawn.content).includes(secret)).toBe(false);
  expect(Buffer.from(drawn.content).includes('<script>')).toBe(false);
  // It is turned upright, because the word for that is gone.
  expect(drawn).toMatchObject({ width: 40, height: 60 });
});

it.each([
  ['image/webp', (frames: Sharp) => frames.webp({ lossless: true })],
  ['image/gif', (frames: Sharp) => frames.gif()],
] as const)('draws the first frame of an animation of type %s', async (mediaType, write) => {
  const solids = ['#00ff00', '#0000ff', '#ffffff'].map((background) =>
    sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const stills = [await stripe().png().toBuffer(), ...(await Promise.all(solids))];
  const frames = sharp(stills, { join: { animated: true } });
  const drawn = await draw(await write(frames.withMetadata({ orientation: 6 })).toBuffer(), mediaType);
  // What turns it comes after its frames, and a GIF has none.
  expect(drawn).toMatchObject(mediaType === 'image/webp' ? { width: 40, height: 60 } : { width: 60, height: 40 });
  expect(await pixelAt(drawn.content, 5)).toSatisfy(([red, green]) => red > 200 && green < 60);
});

it('makes a large picture smaller', async () => {
  const drawn = await draw(await stripe(5_000, 100).png().toBuffer(), 'image/png');
  expect(drawn).toMatchObject({ width: 2_000, height: 40 });
});

it('refuses a picture of 100 megapixels by its head, though the file is small', async () => {
  const content = pngOf({ width: 10_000, height: 10_000 }, deflateSync(Buffer.alloc(10_001 * 10_000)));
  expect(content.length).toBeLessThan(200_000);
  await expect(draw(content, 'image/png')).rejects.toMatchObject({
    code: 'attachment_too_large',
    message: 'The picture has more than 50 million pixels.',
  });
});

it.each([
  ['data that are no pixels', pngOf({ width: 20, height: 20 }, Buffer.alloc(9)), 'image/png'],
  [
    'an SVG behind the first bytes of a GIF',
    Buffer.from('GIF89a<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'image/gif',
  ],
] as const)('refuses %s', async (_what, content, mediaType) => {
  await expect(draw(content, mediaType)).rejects.toMatchObject({ code: 'attachment_unreadable' });
});

it('refuses a picture of another type than it is said to be', async () => {
  await expect(draw(await stripe().png().toBuffer(), 'image/jpeg')).rejects.toMatchObject({
    code: 'attachment_unreadable',
  });
});

it('leaves no file behind, and ends with its request', async () => {
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(draw(await stripe().png().toBuffer(), 'image/png', gone)).rejects.toThrow('gone');
  expect((await readdir(scratchRoot)).filter((name) => name.startsWith('sluice-picture-'))).toEqual([]);
});

it('refuses every picture where nothing isolates the decoder', async () => {
  const bare = createPictureCodec(createBareSandbox({ path }), { scratchRoot });
  const content = await stripe().png().toBuffer();
  const { signal } = new AbortController();
  await expect(bare.draw({ content, mediaType: 'image/png', signal })).rejects.toMatchObject({
    code: 'pictures_unavailable',
  });
});
