// Receives notifications of Sluice, and prints a line for each: WEBHOOK_SECRET=whsec_… node receiver.mjs 9000
// It needs nothing but Node: a signature is checked by hand. The package `standardwebhooks` does the same.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const { WEBHOOK_SECRET = '' } = process.env;
const [port = '9000'] = process.argv.slice(2);
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
const TOLERANCE_S = 5 * 60; // an older request may be a copy that somebody sends again

/** Whether a request was signed with our secret, a short while ago. During a change of the secret it has two signatures. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_S)) return false;
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

/** The messages that were seen: one may come twice, under the same id. */
const seen = new Set();

createServer(async (request, response) => {
  const body = await buffer(request); // the signature covers the bytes, so parse them afterwards
  if (!isSigned(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end(); // answer first: whatever takes longer than 15 seconds counts as failed
  if (seen.has(request.headers['webhook-id'])) return;
  seen.add(request.headers['webhook-id']);
  const { type, data } = JSON.parse(body);
  console.log(type, data.title ?? '', data.url);
}).listen(Number(port), '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${port}`));
