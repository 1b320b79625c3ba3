/** tar counts in blocks of this many bytes. */
export const TAR_BLOCK = 512;

const SIZE_AT = 124;
const SIZE_BYTES = 12;
const CHECKSUM_AT = 148;
const CHECKSUM_BYTES = 8;
const LARGEST_OCTAL = 8 ** 11; // 8 GiB; beyond it the size is binary, as GNU tar and bsdtar write it
const BINARY = 0x80;

export interface TarMember {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** The block before a file's content, as every `tar` reads it: a file that its owner alone may read. */
export function tarHeader({ name, size }: TarMember, modified: Date): Buffer {
  const block = Buffer.alloc(TAR_BLOCK);
  block.write(name, 0, 100, 'latin1');
  block.write('0000600\0', 100, 'latin1');
  block.write('0000000\0', 108, 'latin1'); // root, where root unpacks it; else whoever does
  block.write('0000000\0', 116, 'latin1');
  if (size < LARGEST_OCTAL) block.write(`${size.toString(8).padStart(11, '0')}\0`, SIZE_AT, 'latin1');
  else {
    block.writeUInt8(BINARY, SIZE_AT);
    block.writeBigUInt64BE(BigInt(size), SIZE_AT + SIZE_BYTES - 8);
  }
  block.write(
    `${Math.floor(modified.getTime() / 1_000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
    'latin1',
  );
  block.write('0', 156, 'latin1'); // a plain file
  block.write('ustar\0' + '00', 257, 'latin1');
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, CHECKSUM_AT, 'latin1');
  return block;
}

/** @returns null when the block is none that `tarHeader` wrote */
export function readTarHeader(block: Buffer): TarMember | null {
  const checksum = Number.parseInt(block.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + 6), 8);
  if (checksum !== checksumOf(block) || block.toString('latin1', 257, 262) !== 'ustar') return null;
  const end = block.indexOf(0);
  const name = block.toString('latin1', 0, Math.min(end, 100));
  const size =
    block[SIZE_AT] === BINARY
      ? Number(block.readBigUInt64BE(SIZE_AT + SIZE_BYTES - 8))
      : Number.parseInt(block.toString('latin1', SIZE_AT, SIZE_AT + 11), 8);
  return Number.isSafeInteger(size) && size >= 0 ? { name, size } : null;
}

/** The sum of all bytes, with the checksum's own as blanks. */
function checksumOf(block: Buffer): number {
  let sum = 0;
  for (const [at, byte] of block.entries()) {
    sum += at >= CHECKSUM_AT && at < CHECKSUM_AT + CHECKSUM_BYTES ? 0x20 : byte;
  }
  return sum;
}
