/**
 * A model server as its vendor publishes it, as data: what a request may and must hold, how a refusal is worded, where
 * thoughts stand and what becomes of them. Every rule names the page or the source file that it was read from. The
 * descriptions were written from those pages alone. A change to one comes from the vendor's page, not from our client.
 */

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests are whatever a client sends.
export type Json = any;

/** The day on which the sources were read. */
export const SOURCES_READ = '2026-11-29';

export interface Cited {
  readonly source: string;
  /**
   * Absent where the source itself was read. `quoted`: the sentence was found in public programs that talk to the server,
   * and the source is the vendor's page on the matter. `assumed`: the vendor's form with a sentence of our own.
   */
  readonly wording?: 'quoted' | 'assumed';
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly type?: string | null;
  readonly code?: string | number | null;
  readonly param?: string | null;
  /** Further members of the error object. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** One demand of a vendor on a request. */
export interface Rule extends Cited {
  readonly demands: string;
  refuse(body: Json, memory: Memory): Refusal | null;
}

/** The thought that the server sent with the tool calls of an answer, as it has to come back. */
export interface Memory {
  /** @returns undefined for a call that another maker's model made */
  thoughtOf(callId: string): string | null | undefined;
  /** Whether the server issued the signature. */
  issued(signature: string): boolean;
}

interface Call {
  readonly name: string;
  readonly input: unknown;
}

/** One answer of the scripted model. */
export interface Turn {
  readonly thought?: string;
  readonly text?: string;
  readonly calls?: readonly Call[];
}

/** What a script reads of a request, the same in every dialect. */
export interface Conversation {
  readonly system: string;
  readonly users: readonly string[];
  readonly results: readonly string[];
  readonly tools: readonly string[];
  /** The answers that the request brings back. */
  readonly answers: number;
  /** The schema of the answer, where the request asks for one in the vendor's own way. */
  readonly schema?: unknown;
}

/** An assistant message of a request. */
export interface Replayed {
  readonly callIds: readonly string[];
  /** Its thought, in the form in which the server compares it; null where it carries none. */
  readonly thought: string | null;
}

export interface Tokens {
  readonly input: number;
  readonly thinking: number;
  readonly output: number;
}

/** An answer on the wire. */
export interface Written {
  /** One string or buffer for each piece of the stream. */
  readonly frames: readonly (string | Buffer)[];
  /** The same answer as one JSON body. */
  readonly whole: unknown;
  readonly callIds: readonly string[];
  /** The thought, in the form in which it has to come back; null where there was none. */
  readonly kept: string | null;
  readonly signatures: readonly string[];
}

/** How a family of servers writes and reads. */
export interface Dialect {
  readonly contentType: string;
  conversation(body: Json): Conversation;
  replayed(body: Json): Replayed[];
  isStreamed(body: Json, path: string): boolean;
  write(turn: Turn, asked: { body: Json; number: number; tokens: Tokens }): Written;
}

export interface WireServer {
  readonly name: string;
  readonly maker: string;
  readonly model: string;
  /** The path on which answers are asked for. */
  readonly path: RegExp;
  readonly dialect: Dialect;
  /** Whether the model thinks for such a request. */
  readonly thinks: Cited & { when(body: Json): boolean };
  /**
   * What becomes of thoughts in the next request: `required` is refused without them, `expected` is asked for by the
   * vendor's page and not enforced, `ignored` may come back, `closed` is refused with them.
   */
  readonly thoughtsBack: Cited & { readonly are: 'required' | 'expected' | 'ignored' | 'closed' };
  readonly rules: readonly Rule[];
  readonly window: Cited & {
    readonly tokens: number;
    /** Whether the longest answer that is asked for has to fit too. */
    readonly holdsAnswer: boolean;
    refuse(tokens: number, window: number, answer: number): Refusal;
  };
  readonly busy: Cited & Refusal;
  readonly badKey: Cited & Refusal;
  /** Reads the key that the request brings. */
  keyOf(headers: Readonly<Record<string, string | string[] | undefined>>, url: URL): string | undefined;
  errorBody(refusal: Refusal): unknown;
}

/** One token for each four bytes, as every server here counts. */
export const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

/** The three pieces of a text, none of which parts a character. */
export function piecesOf(text: string): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / 3));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}

export const bearer = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  /^Bearer (.+)$/.exec(String(headers.authorization ?? ''))?.[1];

/** A signature that holds for one text of one server, as a vendor's does. */
export const signatureFor = (server: string, number: number, text: string) =>
  Buffer.from(`${server}:${number}:${text.length}:signed`).toString('base64');
