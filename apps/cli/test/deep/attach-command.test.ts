import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { IssueWire } from '@sluice/core/issue';
import { pngChunk, pngOf } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleIssue } from '../../src/local/sample-repo.ts';
import { openRemoteScene, type RemoteScene } from '../remote-scene.ts';

// Usual way: packages/api/test/attachments.test.ts

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

/** A black picture with a comment, which must not be kept. */
function blackPng(side: number): Buffer {
  const comment = pngChunk('tEXt', Buffer.from('Comment\0SECRET-PLACE', 'latin1'));
  return pngOf({ width: side, height: side, extra: [comment] }, deflateSync(Buffer.alloc(side * (side + 1))));
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
