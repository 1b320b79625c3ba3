import { crc32 } from 'node:zlib';

/**
 * An event of Bedrock's ConverseStream in Amazon's binary framing: docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html
 * (the frame), docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html (the events).
 */
export function bedrockEvent(type: string, payload: object): Buffer {
  const headers = Buffer.concat([
    header(':event-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const message = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([message, checksum(message)]);
}

const STRING = 7;

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([STRING]),
    length,
    Buffer.from(value),
  ]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
