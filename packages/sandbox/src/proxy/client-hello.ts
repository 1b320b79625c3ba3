const recordHeaderBytes = 5;
const messageHeaderBytes = 4;
const largestRecord = 2 ** 14;
/** A hello with a key share of the largest groups in use and a session ticket has about 3 KiB. */
const largestHello = 2 ** 14;
/** Includes the headers of records, because a client may put few bytes in each. */
const largestTransfer = 2 ** 15;

const handshakeRecord = 22;
const changeCipherSpec = Buffer.from([20, 3, 3, 0, 1, 1]);
const clientHello = 1;
const extension = { serverName: 0, encryptedHello: 0xfe0d, encryptedServerName: 0xffce } as const;
const hostNameType = 0;

const tooLarge = { refused: `its TLS hello is larger than ${largestHello} bytes` };
const notTls = { refused: 'it does not begin with a TLS hello' };

/** The result of parsing: the server name, the reason for a refusal, or null while more bytes are needed. */
export type ClientHello = { readonly serverName: string } | { readonly refused: string } | null;

export interface ClientHelloReader {
  /** Takes the next bytes. Must not be called again after a result that is not null. */
  take(chunk: Buffer): ClientHello;
  /** The bytes that were taken: the records up to the end of the hello, and the rest. */
  taken(): { readonly hello: Buffer; readonly rest: Buffer };
}

/**
 * Parses the ClientHello that opens a TLS connection (RFC 8446, 4.1.2 and 5.1), in any split over packets and records, in
 * time and memory linear in its bounded size. It accepts exactly one plain host name (RFC 6066, 3) and refuses all that two
 * parsers could read differently.
 *
 * @param options.isRetry whether it is a second hello, before which a client may send ChangeCipherSpec (RFC 8446, D.4)
 */
export function createClientHelloReader(options: { readonly isRetry?: boolean } = {}): ClientHelloReader {
  const transfer = Buffer.alloc(largestTransfer);
  const hello = Buffer.alloc(largestHello);
  const chunks: Buffer[] = [];
  let received = 0;
  let parsed = 0;
  let assembled = 0;
  let maySkip = options.isRetry === true;

  return {
    take(chunk) {
      // Data after the hello, such as early data, may exceed the limit; the hello must not.
      chunks.push(chunk);
      received += chunk.copy(transfer, received);
      while (received - parsed > 0) {
        if (maySkip && transfer[parsed] === changeCipherSpec[0]) {
          if (received - parsed < changeCipherSpec.length) break;
          if (!transfer.subarray(parsed, parsed + changeCipherSpec.length).equals(changeCipherSpec)) return notTls;
          parsed += changeCipherSpec.length;
          maySkip = false;
          continue;
        }
        const record = readRecord(transfer.subarray(parsed, received));
        if (record === null) break;
        if ('refused' in record) return record;
        if (assembled + record.content.length > largestHello) return tooLarge;
        assembled += record.content.copy(hello, assembled);
        parsed += recordHeaderBytes + record.content.length;
        const message = hello.subarray(0, assembled);
        if (message[0] !== clientHello) return notTls;
        if (assembled < messageHeaderBytes) continue;
        const length = messageHeaderBytes + message.readUIntBE(1, 3);
        if (length > largestHello) return tooLarge;
        if (assembled > length) return { refused: 'its TLS hello shares a record with another message' };
        if (assembled === length) return readHello(message.subarray(messageHeaderBytes));
      }
      return received === largestTransfer ? tooLarge : null;
    },
    taken() {
      const all = Buffer.concat(chunks);
      return { hello: all.subarray(0, parsed), rest: all.subarray(parsed) };
    },
  };
}

/** The first record, or null while it is incomplete. Anything but TLS is recognized by its first bytes. */
function readRecord(bytes: Buffer): { readonly content: Buffer } | { readonly refused: string } | null {
  if (bytes[0] !== handshakeRecord) return notTls;
  if (bytes.length > 1 && bytes[1] !== 3) return notTls;
  if (bytes.length < recordHeaderBytes) return null;
  const length = bytes.readUInt16BE(3);
  if (length === 0 || length > largestRecord) return notTls;
  const end = recordHeaderBytes + length;
  return bytes.length < end ? null : { content: bytes.subarray(recordHeaderBytes, end) };
}

function readHello(body: Buffer): ClientHello {
  try {
    return { serverName: serverNameOf(body) };
  } catch (error) {
    if (error instanceof RefusedHello) return { refused: error.message };
    throw error;
  }
}

/** @throws RefusedHello */
function serverNameOf(body: Buffer): string {
  const hello = fieldsOf(body);
  hello.take(2 + 32); // version and random
  hello.vector(1); // session
  hello.vector(2); // cipher suites
  hello.vector(1); // compression methods
  if (hello.atEnd()) throw new RefusedHello('its TLS hello names no server (no SNI)');
  const extensions = fieldsOf(hello.vector(2));
  hello.mustEnd();

  let name: string | null = null;
  while (!extensions.atEnd()) {
    const type = extensions.take(2).readUInt16BE();
    const content = extensions.vector(2);
    if (type === extension.encryptedHello || type === extension.encryptedServerName)
      throw new RefusedHello('its TLS hello has an encrypted part (ECH), so its server name cannot be checked');
    if (type !== extension.serverName) continue;
    if (name !== null) throw new RefusedHello('its TLS hello names several servers');
    name = hostNameOf(content);
  }
  if (name === null) throw new RefusedHello('its TLS hello names no server (no SNI)');
  return name;
}

function hostNameOf(content: Buffer): string {
  const outer = fieldsOf(content);
  const list = fieldsOf(outer.vector(2));
  outer.mustEnd();
  if (list.atEnd()) throw new RefusedHello('its TLS hello names no server (no SNI)');
  const type = list.take(1).readUInt8();
  const name = list.vector(2);
  if (type !== hostNameType) throw new RefusedHello('its TLS hello names no host');
  if (!list.atEnd()) throw new RefusedHello('its TLS hello names several servers');
  return name.toString('latin1');
}

class RefusedHello extends Error {}

/** Reads fields in sequence, never past the end. */
function fieldsOf(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RefusedHello('its TLS hello is malformed');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const atEnd = () => at === bytes.length;
  return {
    take,
    atEnd,
    /** A field preceded by its length in `lengthBytes` bytes. */
    vector: (lengthBytes: 1 | 2) => take(take(lengthBytes).readUIntBE(0, lengthBytes)),
    mustEnd() {
      if (!atEnd()) throw new RefusedHello('its TLS hello is malformed');
    },
  };
}
