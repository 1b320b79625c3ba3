import type { StoredVector, VectorStore } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import { type ChromaClient, ChromaNotFoundError, type Collection } from 'chromadb';
import { MAX_NEIGHBOURS } from '../semantic/vector-protocol.ts';
import { chromaCalls } from './chroma-calls.ts';

export interface ChromaVectorStoreOptions {
  /** The server, 1.0 or newer: http or https, with a path and with a token or a name and a password where it needs them. */
  readonly url: URL;
  /** How long one step of a write, a batch, may take, in milliseconds. */
  readonly writeMs?: number;
  /** How long a question may take, in milliseconds. */
  readonly readMs?: number;
}

const WRITE_MS = 20_000; // a batch takes milliseconds, or seconds while the server rebuilds what it holds in memory
const READ_MS = 5_000; // less than a search waits altogether, so that it learns who kept it waiting
const BATCH_BYTES = 512 * 1024; // in the request some 700 KB: proxies reject more than 1 MB by default
const IDS_PER_REQUEST = 1_000;
const COLLECTIONS_PER_PAGE = 100; // each comes with all of its settings

/**
 * A store of vectors in a Chroma server that any number of processes share. It keeps nothing in the process: a server that
 * comes back empty, or a collection that another process has dropped, is an empty store. Nearness is approximate.
 */
export function createChromaVectorStore(options: ChromaVectorStoreOptions): VectorStore {
  const calls = chromaCalls(options.url);
  const ms = { write: options.writeMs ?? WRITE_MS, read: options.readMs ?? READ_MS };

  /** Null where there is no such collection, or no longer. */
  const within = <T>(
    name: string,
    work: (collection: Collection, client: ChromaClient) => Promise<T>,
    limits: { signal: AbortSignal; ms: number },
  ): Promise<T | null> =>
    calls.ask(async (client) => {
      try {
        return await work(await client.getCollection({ name: chromaName(name) }), client);
      } catch (error) {
        if (error instanceof ChromaNotFoundError) return null;
        throw error;
      }
    }, limits);

  return {
    async upsert(collection, vectors, signal) {
      for (const part of batches(vectors)) {
        await calls.ask((client) => put(client, chromaName(collection), part), { signal, ms: ms.write });
      }
    },
    async existing(collection, ids, signal) {
      const found: string[] = [];
      for (const some of slices([...new Set(ids)], IDS_PER_REQUEST)) {
        const known = await within(collection, (made) => made.get({ ids: some, include: [] }), { signal, ms: ms.read });
        found.push(...(known?.ids ?? []));
      }
      return found;
    },
    async nearest(collection, { vector, limit }, signal) {
      const question = {
        queryEmbeddings: [Array.from(vector)],
        nResults: Math.min(Math.max(Math.trunc(limit), 1), MAX_NEIGHBOURS),
        include: ['distances' as const],
      };
      const found = await within(collection, (made) => made.query(question), { signal, ms: ms.read });
      const distances = found?.distances[0] ?? [];
      return (found?.ids[0] ?? []).flatMap((id, index) => {
        const distance = distances[index];
        return typeof distance === 'number' ? [{ id, similarity: 1 - distance }] : [];
      });
    },
    async keepOnly(collection, ids, signal) {
      const gone: string[] = [];
      for (let offset = 0; ; offset += IDS_PER_REQUEST) {
        const page = { limit: IDS_PER_REQUEST, offset, include: [] };
        const known = await within(collection, (made) => made.get(page), { signal, ms: ms.read });
        if (known === null || known.ids.length === 0) break;
        gone.push(...known.ids.filter((id) => !ids.has(id)));
      }
      for (const some of slices(gone, IDS_PER_REQUEST)) {
        await within(collection, (made) => made.delete({ ids: some }), { signal, ms: ms.write });
      }
    },
    async collections(prefix, signal) {
      const names: string[] = [];
      for (let offset = 0; ; offset += COLLECTIONS_PER_PAGE) {
        const page = { limit: COLLECTIONS_PER_PAGE, offset };
        const listed = await calls.ask((client) => client.listCollections(page), { signal, ms: ms.read });
        names.push(...listed.map(({ name }) => name));
        if (listed.length < COLLECTIONS_PER_PAGE) break;
      }
      return names.flatMap((name) => collectionOf(name) ?? []).filter((name) => name.startsWith(prefix));
    },
    async drop(collection) {
      const name = chromaName(collection);
      await calls.ask(
        (client) =>
          client.deleteCollection({ name }).catch((error) => {
            if (!(error instanceof ChromaNotFoundError)) throw error;
          }),
        { signal: undefined, ms: ms.write },
      );
    },
    async check(signal) {
      // Unlike a heartbeat it is refused to who may not read.
      const count: unknown = await calls.ask((client) => client.countCollections(), { signal, ms: ms.read });
      if (typeof count !== 'number')
        throw new AppError('not_ready', { detail: 'CHROMA_URL does not lead to a Chroma server.' });
    },
    close: async () => calls.close(),
  };
}

/** Writes them, also where the collection is dropped in between; what one request may hold is the server's to say. */
async function put(client: ChromaClient, name: string, vectors: readonly StoredVector[]): Promise<void> {
  const advised = await client.getMaxBatchSize();
  const write = async () => {
    const made = await client.getOrCreateCollection({
      name,
      embeddingFunction: null, // otherwise it looks for a package that embeds, and downloads a model
      configuration: { hnsw: { space: 'cosine' } },
    });
    for (const some of slices(vectors, Math.max(advised, 1))) {
      await made.upsert({ ids: some.map(({ id }) => id), embeddings: some.map(({ vector }) => Array.from(vector)) });
    }
  };
  await write().catch((error) => {
    if (error instanceof ChromaNotFoundError) return write();
    throw error;
  });
}

/** @throws AppError `not_ready` where they are not all of one length */
function batches(vectors: readonly StoredVector[]): Generator<readonly StoredVector[]> {
  const [first] = vectors;
  const length = first?.vector.length ?? 0;
  if (vectors.some(({ vector }) => vector.length !== length)) {
    throw new AppError('not_ready', { detail: 'The vector store refuses vectors of different lengths together.' });
  }
  // The last of two with one id is meant; Chroma refuses both.
  const byId = new Map(vectors.map((stored) => [stored.id, stored]));
  return slices([...byId.values()], Math.max(Math.trunc(BATCH_BYTES / Math.max(4 * length, 1)), 1));
}

function* slices<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

// Apart from what others keep in the same Chroma, and with a letter at both ends, as it demands. Its older releases take
// 63 characters at most; a repository's id and a model's hash make 62 of them.
const BEFORE = 'sluice_';
const AFTER = '_v';

/** A collection's name as Chroma takes it, another one for each: it refuses two dots in a row. */
export function chromaName(collection: string): string {
  return `${BEFORE}${collection.replaceAll('.', '_')}${AFTER}`;
}

/** The collection that Chroma calls so; null where it is not one of ours. */
export function collectionOf(name: string): string | null {
  if (!name.startsWith(BEFORE) || !name.endsWith(AFTER) || name.length <= BEFORE.length + AFTER.length) return null;
  return name.slice(BEFORE.length, -AFTER.length).replaceAll('_', '.');
}
