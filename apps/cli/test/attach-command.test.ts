import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { IssueWire } from '@sluice/core/issue';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleIssue } from '../src/local/sample-repo.ts';
import { openRemoteScene, type RemoteScene } from './remote-scene.ts';

let scene: RemoteScene;
let ada: RemoteScene['ada'];
let eve: RemoteScene['eve'];
beforeAll(async () => {
  scene = await openRemoteScene();
  ({ ada, eve } = scene);
});
afterAll(() => scene?.[Symbol.asyncDispose]());

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly media_type: string;
  readonly width: number | null;
}

/** A black picture, with a comment in it that nobody has to see. */
function blackPng(side: number): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), body]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(body.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([size, named, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.writeUInt8(8, 8);
  const comment = chunk('tEXt', Buffer.from('Comment\0SECRET-PLACE', 'latin1'));
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(side * (side + 1))));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), comment, pixels, chunk('IEND', Buffer.alloc(0))]);
}

const create = (...files: string[]) => [
  ...['issues', 'create', '-R', scene.repo, '--title', sampleIssue.title, '--body', sampleIssue.body],
  ...['--attach', ...files],
];

it('attaches pictures and texts to a new issue, which its readers alone can read', async () => {
  const picture = join(ada.home, 'screen.png');
  const log = join(ada.home, 'server.log');
  writeFileSync(picture, blackPng(40));
  writeFileSync(log, 'GET / 500\n');
  const issue = await ada.json<IssueWire>(create(picture, log));
  const listed = await ada.sluice(['api', `issues/${issue.id}/attachments`]);
  const { items } = JSON.parse(listed.stdout) as { items: Listed[] };
  expect(items).toMatchObject([
    { name: 'screen.png', media_type: 'image/png', width: 40 },
    { name: 'server.log', media_type: 'text/plain', width: null },
  ]);
  const [drawn, text] = items;
  expect((await ada.sluice(['api', `attachments/${text?.id}`])).stdout).toBe('GET / 500\n');
  const shown = await ada.sluice(['api', `attachments/${drawn?.id}`]);
  expect(shown.stdout).toContain('PNG');
  expect(shown.stdout).not.toContain('SECRET-PLACE');
  expect((await eve.sluice(['api', `attachments/${text?.id}`])).code).toBe(4);
});

it('creates no issue when a file is refused, and says which one', async () => {
  const fake = join(ada.home, 'fake.png');
  writeFileSync(fake, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const refused = await ada.sluice(create(fake));
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('fake.png: The file is no whole PNG picture.');
  const missing = await ada.sluice(create(join(ada.home, 'none.png')));
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('none.png: the file cannot be read.')]);
});
