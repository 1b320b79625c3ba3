// Usual way: packages/sandbox/src/pictures/picture-codec.test.ts
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { MAX_ATTACHMENT_BYTES, type PictureType } from '@sluice/core/attachment';
import { AppError } from '@sluice/core/error';
import { type PngForm, pngChunk, pngOf } from '@sluice/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBwrapSandbox } from '../../src/bwrap/bwrap-sandbox.ts';
import { createPictureCodec } from '../../src/pictures/picture-codec.ts';

const MIB = 1024 ** 2;
/** The limit of the sandbox, and what the kernel takes to end a process that is above it. */
const MAX_DECODER_BYTES = 1_100 * MIB;
const MAX_DECODER_CPU_MS = 20_000;
/** What the service itself holds: the file and what comes back. */
const MAX_SERVICE_BYTES = 120 * MIB;

let scratchRoot: string;
beforeAll(async () => {
  scratchRoot = await mkdtemp(join(tmpdir(), 'sluice-bombs-'));
});
afterAll(() => rm(scratchRoot, { recursive: true, force: true }));

interface Zeros extends PngForm {
  /** The bytes of one pixel. */
  readonly bytes: number;
}

/** A PNG of zeros. */
function png({ bytes, ...form }: Zeros): Buffer {
  const { width, height, isInterlaced } = form;
  // More than any of its seven passes needs, where it is interlaced.
  const passes = isInterlaced ? 8 * height + 64 : 0;
  return pngOf(form, deflateSync(Buffer.alloc((width * bytes + 1) * height + passes)));
}

/** A GIF of many frames, each of one pixel on a large screen. */
function gif(frames: number, side: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\xf0\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(side, 6);
  head.writeUInt16LE(side, 8);
  const frame = Buffer.from('21f90400010000002c000000000100010000020244010000'.slice(0, -2), 'hex');
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')]);
}

/** A lossless WebP whose head claims the most pixels that the format can. */
function claimedWebp(): Buffer {
  return riff(webpChunk('VP8L', Buffer.from('2fffffff0f0000000000', 'hex')));
}

/** The first bytes of a WebP's container, with what they hold. */
function riff(body: Buffer): Buffer {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([head, body]);
}

function webpChunk(type: string, body: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

interface Animation {
  /** The sides of the canvas and of each frame in pixels. */
  readonly canvas: number;
  readonly frame: number;
  /** Infinite: so many that they fill an upload. */
  readonly frames: number;
}

/** An animated WebP of one solid frame that comes again and again. */
async function animatedWebp({ canvas, frame, frames }: Animation): Promise<Buffer> {
  const still = await solid(frame, frame).webp({ lossless: true, effort: 0 }).toBuffer();
  const extended = Buffer.alloc(10);
  extended[0] = 0x02; // it has an animation
  extended.writeUIntLE(canvas - 1, 4, 3);
  extended.writeUIntLE(canvas - 1, 7, 3);
  const head = Buffer.alloc(16);
  head.writeUIntLE(frame - 1, 6, 3);
  head.writeUIntLE(frame - 1, 9, 3);
  head.writeUIntLE(100, 12, 3); // milliseconds
  const one = webpChunk('ANMF', Buffer.concat([head, still.subarray('RIFF....WEBP'.length)]));
  const before = Buffer.concat([webpChunk('VP8X', extended), webpChunk('ANIM', Buffer.alloc(6))]);
  const fitting = Math.floor((MAX_ATTACHMENT_BYTES - before.length - 'RIFF....WEBP'.length) / one.length);
  return riff(Buffer.concat([before, ...Array<Buffer>(Math.min(frames, fitting)).fill(one)]));
}

const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#123456' } });
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  });

/** A progressive JPEG whose last scan comes again and again: each is a walk over all of its pixels. */
async function jpegOfScans(scans: number): Promise<Buffer> {
  const whole = await solid(6_000, 6_000).jpeg({ progressive: true }).toBuffer();
  const last = whole.lastIndexOf(Buffer.from('ffda', 'hex'));
  const scan = whole.subarray(last, -2);
  return Buffer.concat([whole.subarray(0, -2), ...Array<Buffer>(scans).fill(scan), whole.subarray(-2)]);
}

const bombs: Readonly<Record<string, { readonly type: PictureType; make(): Promise<Buffer> | Buffer }>> = {
  'a PNG of 100 megapixels': {
    type: 'image/png',
    make: () => png({ width: 10_000, height: 10_000, bytes: 1 }),
  },
  'a PNG of 49 megapixels, 16 bits, four channels, interlaced': {
    type: 'image/png',
    make: () => png({ width: 7_000, height: 7_000, depth: 16, colour: 6, isInterlaced: true, bytes: 8 }),
  },
  'a PNG of 50 megapixels in one line': {
    type: 'image/png',
    make: () => png({ width: 50_000_000, height: 1, colour: 2, bytes: 3 }),
  },
  'a PNG with texts and a profile that unpack to 200 MB each': {
    type: 'image/png',
    make: () => {
      const packed = deflateSync(Buffer.alloc(200 * MIB));
      const extra = [
        ...Array.from({ length: 20 }, (_, at) => pngChunk('zTXt', Buffer.concat([Buffer.from(`k${at}\0\0`), packed]))),
        pngChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), packed])),
      ];
      return png({ width: 20, height: 20, bytes: 1, extra });
    },
  },
  'a PNG with a hundred thousand chunks': {
    type: 'image/png',
    make: () => {
      const extra = Array<Buffer>(100_000).fill(pngChunk('tEXt', Buffer.from('k\0v')));
      return png({ width: 20, height: 20, bytes: 1, extra });
    },
  },
  'a WebP that claims 268 megapixels': { type: 'image/webp', make: claimedWebp },
  'a WebP of 49 megapixels': {
    type: 'image/webp',
    make: () => solid(7_000, 7_000).webp({ lossless: true, effort: 0 }).toBuffer(),
  },
  'an animated WebP of a thousand frames of 49 megapixels': {
    type: 'image/webp',
    make: () => animatedWebp({ canvas: 7_000, frame: 7_000, frames: 1_000 }),
  },
  'an animated WebP of as many small frames as fit, on 16 megapixels': {
    type: 'image/webp',
    make: () => animatedWebp({ canvas: 4_000, frame: 2, frames: Number.POSITIVE_INFINITY }),
  },
  'an animated WebP whose canvas claims 268 megapixels': {
    type: 'image/webp',
    make: () => animatedWebp({ canvas: 16_383, frame: 16_383, frames: 100 }),
  },
  'a GIF of three hundred thousand frames': { type: 'image/gif', make: () => gif(300_000, 2_000) },
  'a GIF that claims 4,294 megapixels': { type: 'image/gif', make: () => gif(1, 65_535) },
  'a JPEG of 49 megapixels of noise, cut to what can be sent': {
    type: 'image/jpeg',
    make: async () => (await noise(7_000, 7_000).jpeg({ quality: 60 }).toBuffer()).subarray(0, MAX_ATTACHMENT_BYTES),
  },
  'a progressive JPEG of 2,000 further scans': { type: 'image/jpeg', make: () => jpegOfScans(2_000) },
};

interface Peak {
  bytes: number;
  cpuMs: number;
}

/** Watches the decoder in /proc: the peak of its memory, and its CPU time. */
function watchDecoder(): Peak & { stop(): void } {
  const peak = { bytes: 0, cpuMs: 0 };
  const look = async () => {
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
      const command = await read('cmdline');
      if (!command.startsWith('/run/sluice/node\0')) continue;
      const [status, stat] = [await read('status'), await read('stat')];
      peak.bytes = Math.max(peak.bytes, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024);
      const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
      peak.cpuMs = Math.max(peak.cpuMs, (user + system) * 10);
    }
  };
  let isOn = true;
  const watching = (async () => {
    while (isOn) await look();
  })();
  return Object.assign(peak, {
    stop() {
      isOn = false;
      return watching;
    },
  });
}

/** The highest peak of all: that of a decoder which ends at once is missed. */
let seen = 0;

it.each(Object.entries(bombs))('%s takes bounded memory and time', async (name, { type, make }) => {
  const content = await make();
  expect(content.length).toBeLessThanOrEqual(MAX_ATTACHMENT_BYTES);
  const path = process.env.PATH ?? '';
  const sandbox = createBwrapSandbox({ readPaths: [], path, hideRoots: [], scratchRoot });
  const codec = createPictureCodec(sandbox, { scratchRoot });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const decoder = watchDecoder();
  const { signal } = new AbortController();
  const end = await codec.draw({ content, mediaType: type, signal }).then(
    ({ width, height, content: drawn }) => `drawn, ${width} x ${height}, ${drawn.length} bytes`,
    (error: unknown) => (error instanceof AppError ? error.code : `${error}`),
  );
  await decoder.stop();
  const service = process.memoryUsage().rss - before;
  console.log(
    `${name}: ${content.length} bytes, ${end}; decoder ${Math.round(decoder.bytes / MIB)} MiB, ${decoder.cpuMs} ms CPU; service ${Math.round(service / MIB)} MiB more`,
  );
  expect(end).toMatch(/^drawn, |^attachment_(?:too_large|unreadable)$/);
  seen = Math.max(seen, decoder.bytes);
  expect(decoder.bytes).toBeLessThan(MAX_DECODER_BYTES);
  expect(decoder.cpuMs).toBeLessThan(MAX_DECODER_CPU_MS);
  expect(service).toBeLessThan(MAX_SERVICE_BYTES);
  expect((await readdir(scratchRoot)).filter((one) => one.startsWith('sluice-picture-'))).toEqual([]);
});

it('has watched the decoder at all', () => {
  expect(seen).toBeGreaterThan(50 * MIB);
});
