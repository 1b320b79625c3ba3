import { crc32 } from 'node:zlib';

export interface PngForm {
  readonly width: number;
  readonly height: number;
  /** Bits of a channel: 8 by default. */
  readonly depth?: number;
  /** The type of colour in the words of the format: 0, grey, by default. */
  readonly colour?: number;
  readonly isInterlaced?: boolean;
  /** Chunks between the head and the pixels. */
  readonly extra?: readonly Buffer[];
}

/**
 * A PNG of any head and data, which need not fit: https://www.w3.org/TR/png-3/#5DataRep
 *
 * @param data the compressed lines of pixels
 */
export function pngOf(form: PngForm, data: Buffer): Buffer {
  const { width, height, depth = 8, colour = 0, isInterlaced = false, extra = [] } = form;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, Number(isInterlaced)], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const end = pngChunk('IEND', Buffer.alloc(0));
  return Buffer.concat([signature, pngChunk('IHDR', head), ...extra, pngChunk('IDAT', data), end]);
}

/** A chunk of a PNG: its length, type, content and checksum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
