// Runs alone inside the sandbox: node draw-picture.mts FORMAT MAX_PIXELS MAX_SIDE MAX_BYTES. Reads the file `in` of the working
// folder, writes `out`, and prints the facts about it as one line of JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';

const UNREADABLE = 3;
const TOO_MANY_PIXELS = 4;

/** The one loader that is allowed. What else libvips can load, such as SVG, stays blocked whatever the file says it is. */
const loaders = {
  png: 'VipsForeignLoadPngFile',
  jpeg: 'VipsForeignLoadJpegFile',
  webp: 'VipsForeignLoadWebpFile',
  gif: 'VipsForeignLoadNsgifFile',
} as const;

type Format = keyof typeof loaders;

const [, , given = '', ...limits] = process.argv;
const [maxPixels = 0, maxSide = 0, maxBytes = 0] = limits.map(Number);
const format = given as Format;

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: [loaders[format]] });

const file = format === 'webp' ? withoutFurtherFrames() : 'in';

/** The head alone: nothing is decoded before its pixels are counted. */
const head = await sharp(file, { limitInputPixels: false })
  .metadata()
  .catch(() => process.exit(UNREADABLE));
if (head.format !== format) process.exit(UNREADABLE);
if (head.width * head.height > maxPixels) process.exit(TOO_MANY_PIXELS);

const drawn = () =>
  sharp(file, { limitInputPixels: maxPixels, failOn: 'error', pages: 1, sequentialRead: true })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');

/** What a screenshot needs to stay sharp, and a photo to stay small. */
const writers = {
  png: () => drawn().png(),
  gif: () => drawn().png(),
  webp: () => drawn().webp({ quality: 90 }),
  jpeg: () => drawn().jpeg({ quality: 90 }),
} as const;

const written = async (form: keyof typeof writers | 'small') => {
  const picture = form === 'small' ? drawn().flatten({ background: '#ffffff' }).jpeg({ quality: 75 }) : writers[form]();
  return await picture.toBuffer({ resolveWithObject: true }).catch(() => process.exit(UNREADABLE));
};

const exact = await written(format);
const { data, info } = exact.data.length > maxBytes ? await written('small') : exact;
writeFileSync('out', data);
process.stdout.write(`${JSON.stringify({ format: info.format, width: info.width, height: info.height })}\n`);

/**
 * The name of a WebP file that has one frame at most. Before each frame libwebp walks over all of them: two hundred thousand
 * small ones, which fit into an upload, take it minutes. What follows the frames stays: a picture may be turned by it.
 */
function withoutFurtherFrames(): string {
  const RIFF_BYTES = 12; // how long the head of the file is, and then that of each chunk
  const CHUNK_BYTES = 8;
  const whole = readFileSync('in');
  const end = Math.min(whole.length, CHUNK_BYTES + whole.readUInt32LE(4));
  let kept = RIFF_BYTES;
  let frames = 0;
  for (let at = RIFF_BYTES; at + CHUNK_BYTES <= end; ) {
    const bytes = whole.readUInt32LE(at + 4);
    const next = at + CHUNK_BYTES + bytes + (bytes % 2);
    const isFrame = whole.toString('latin1', at, at + 4) === 'ANMF';
    if (isFrame) frames += 1;
    if (!isFrame || frames === 1) {
      whole.copyWithin(kept, at, next);
      kept += Math.min(next, end) - at;
    }
    at = next;
  }
  if (frames <= 1) return 'in';
  whole.writeUInt32LE(kept - CHUNK_BYTES, 4);
  writeFileSync('still', whole.subarray(0, kept));
  return 'still';
}
