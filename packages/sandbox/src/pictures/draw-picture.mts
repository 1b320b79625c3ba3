// Runs alone inside the sandbox: node draw-picture.mts FORMAT MAX_PIXELS MAX_SIDE MAX_BYTES. Reads the file `in` of the working
// folder, writes `out`, and prints the facts about it as one line of JSON.
import { writeFileSync } from 'node:fs';
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

/** The head alone: nothing is decoded before its pixels are counted. */
const head = await sharp('in', { limitInputPixels: false })
  .metadata()
  .catch(() => process.exit(UNREADABLE));
if (head.format !== format) process.exit(UNREADABLE);
if (head.width * head.height > maxPixels) process.exit(TOO_MANY_PIXELS);

const drawn = () =>
  sharp('in', { limitInputPixels: maxPixels, failOn: 'error', pages: 1, sequentialRead: true })
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
