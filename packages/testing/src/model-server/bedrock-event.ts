import { crc32 } from 'node:zlib';

/**
 * An event of ConverseStream in the frame of `application/vnd.amazon.eventstream`: lengths and their checksum, headers, payload,
 * checksum of all (https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html).
 */
export function bedrockEvent(type: string, payload: unknown): Buffer {
  const headers = Buffer.concat(
    Object.entries({ ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }).map(
      ([name, value]) => {
        const bytes = Buffer.from(value);
        const size = Buffer.alloc(2);
        size.writeUInt16BE(bytes.length);
        // 7 is the type of a string.
        return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), size, bytes]);
      },
    ),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, body]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(message));
  return Buffer.concat([message, sum]);
}
