import { deflateSync, inflateSync } from 'node:zlib';
import { pngChunk } from '@sluice/testing';

const SIGNATURE = 8;
const COLOURS = 256;
const MAX_COLOURS = 160;

/** A screenshot of Chromium (8 bits a channel) with a palette of at most 256 colours, at about half of its size. */
export function indexedPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = paletteOf(counts);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const placeOf = (colour: number): number => {
    const known = places.get(colour);
    if (known !== undefined) return known;
    let nearest = 0;
    for (let place = 1; place < palette.length; place += 1)
      if (distance(colour, palette[place] ?? 0) < distance(colour, palette[nearest] ?? 0)) nearest = place;
    places.set(colour, nearest);
    return nearest;
  };
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = placeOf(pixels[y * width + x] ?? 0);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits, a palette
  return Buffer.concat([
    png.subarray(0, SIGNATURE),
    pngChunk('IHDR', header),
    pngChunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most used colours, and rare ones that are unlike these before further shades of a letter's edge. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const byUse = [...counts].toSorted((one, other) => other[1] - one[1]).map(([colour]) => colour);
  const chosen = new Set(byUse.slice(0, MAX_COLOURS));
  const kindOf = (colour: number) => colour & 0xf0f0f0;
  const kinds = new Set([...chosen].map(kindOf));
  for (const colour of byUse) {
    if (chosen.size === COLOURS) break;
    if (!kinds.has(kindOf(colour))) chosen.add(colour);
    kinds.add(kindOf(colour));
  }
  return [...chosen];
}

function distance(one: number, other: number): number {
  const of = (shift: number) => ((one >> shift) & 255) - ((other >> shift) & 255);
  return of(16) ** 2 + of(8) ** 2 + of(0) ** 2;
}

function decode(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const depth = png[25] === 6 ? 4 : 3; // with alpha, or without
  const parts: Buffer[] = [];
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * depth;
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const left = x < depth ? 0 : (bytes[y * stride + x - depth] ?? 0);
      const up = y === 0 ? 0 : (bytes[(y - 1) * stride + x] ?? 0);
      const corner = y === 0 || x < depth ? 0 : (bytes[(y - 1) * stride + x - depth] ?? 0);
      bytes[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted(filter, { left, up, corner });
    }
  }
  const pixels = new Uint32Array(width * height);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = bytes.readUIntBE(i * depth, 3);
  return { width, height, pixels };
}

/** What a filter of PNG foretells of a byte from its neighbours. */
function predicted(filter: number, { left, up, corner }: { left: number; up: number; corner: number }): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
