/** The place of a chunk: the same for the same content, whatever its path. */
export interface ChunkPlace {
  readonly blob: string;
  readonly startLine: number;
  readonly endLine: number;
}

export function chunkId({ blob, startLine, endLine }: ChunkPlace): string {
  return `${blob}:${startLine}-${endLine}`;
}

/** Reads the id of a chunk. @returns null for what is no chunk's id */
export function parseChunkId(id: string): ChunkPlace | null {
  const [, blob, startLine, endLine] = /^([0-9a-f]{40,64}):(\d{1,9})-(\d{1,9})$/.exec(id) ?? [];
  return blob === undefined ? null : { blob, startLine: Number(startLine), endLine: Number(endLine) };
}
