import { constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DrawnPicture, PictureCodec, PictureType } from '@sluice/core/attachment';
import { AppError } from '@sluice/core/error';
import type { Sandbox, SandboxLimits, SandboxResult } from '@sluice/core/workspace';

const MIB = 1024 ** 2;

/** A screenshot of six large screens, and half of the 100 megapixels that a small file can claim. */
const MAX_PIXELS = 50_000_000;
/** The limit of a side in pixels. What models look at is smaller. */
const MAX_SIDE = 2_000;
/** What every vendor takes for one picture. */
const MAX_DRAWN_BYTES = 4 * MIB;
/** A picture with the most pixels takes 2 seconds, on a busy machine ten times that and more. */
const LIMITS: SandboxLimits = {
  timeoutMs: 60_000,
  memoryBytes: 1_024 * MIB,
  processes: 64,
  fileBytes: 32 * MIB,
  diskBytes: 64 * MIB,
  outputBytes: 8_192,
};
/** The exit codes of `draw-picture.mts` for what it cannot decode, and for a head that names more pixels. */
const UNREADABLE = 3;
const TOO_MANY_PIXELS = 4;

/** The user that owns the file when the service is root: commands never run as root. */
const UNPRIVILEGED_ID = 65_534;

/** The folder inside that holds the program and its library. */
const inside = '/run/sluice';

/** The first bytes of each format; of WebP after the four of its length, too. */
const magic: Readonly<Record<PictureType, RegExp>> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF.{4}WEBP/s,
};

/** Draws pictures in the sandbox: each in a process of its own, without a network, with limits of pixels, memory and time. */
export function createPictureCodec(sandbox: Sandbox, { scratchRoot }: { readonly scratchRoot: string }): PictureCodec {
  let mounts: readonly (readonly [string, string])[] | null = null;
  return {
    async draw({ content, mediaType, signal }) {
      if (sandbox.kind === 'none' || !(await sandbox.probe()).usable) throw new AppError('pictures_unavailable');
      if (!isOf(content, mediaType)) throw unreadable(mediaType);
      mounts ??= programMounts();
      await mkdir(scratchRoot, { recursive: true });
      const root = await mkdtemp(join(scratchRoot, 'sluice-picture-'));
      try {
        await writeFile(join(root, 'in'), content, { mode: 0o444 });
        await chmod(root, 0o700);
        if (process.getuid?.() === 0) await chown(root, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
        const format = mediaType.slice('image/'.length);
        const result = await sandbox.run({
          command: `${inside}/node ${inside}/draw-picture.mts ${format} ${MAX_PIXELS} ${MAX_SIDE} ${MAX_DRAWN_BYTES}`,
          root,
          gitDir: null,
          allowHosts: [],
          mounts,
          owner: 'pictures',
          limits: LIMITS,
          signal,
        });
        refuseFailure(result, mediaType);
        return await readDrawn(root, result.output);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    },
  };
}

/** @throws AppError unless the program has drawn the picture */
function refuseFailure({ endedBy, exitCode, output }: SandboxResult, mediaType: PictureType): void {
  if (endedBy === 'exit' && exitCode === 0) return;
  const isCrash = exitCode !== null && exitCode > 128;
  if (endedBy === 'exit' && (exitCode === UNREADABLE || isCrash)) throw unreadable(mediaType);
  // It did not run: that is no fault of the picture.
  if (endedBy === 'exit' && exitCode !== TOO_MANY_PIXELS)
    throw new AppError('sandbox_failed', {}, { cause: new Error(output) });
  const detail =
    endedBy === 'exit'
      ? `The picture has more than ${MAX_PIXELS / 1_000_000} million pixels.`
      : 'Drawing the picture took too much time or memory.';
  throw new AppError('attachment_too_large', { detail });
}

/** The output of the program. Whoever has broken the decoder has written it, so it is taken for nothing but what it shows. */
async function readDrawn(root: string, output: string): Promise<DrawnPicture> {
  const facts = /^\{"format":"(png|jpeg|webp)","width":(\d{1,5}),"height":(\d{1,5})\}$/m.exec(output);
  if (facts === null) throw new AppError('sandbox_failed', {}, { cause: new Error(output) });
  const mediaType = `image/${facts[1]}` as PictureType;
  await using file = await open(join(root, 'out'), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await file.stat();
  const content = stats.isFile() && stats.size <= 2 * MAX_DRAWN_BYTES ? await file.readFile() : Buffer.alloc(0);
  if (!isOf(content, mediaType)) throw unreadable(mediaType);
  return { content, mediaType, width: Number(facts[2]), height: Number(facts[3]) };
}

function isOf(content: Uint8Array, mediaType: PictureType): boolean {
  return magic[mediaType].test(Buffer.from(content.subarray(0, 16)).toString('latin1'));
}

function unreadable(mediaType: PictureType): AppError {
  const detail = `The file is no whole ${mediaType.slice('image/'.length).toUpperCase()} picture.`;
  return new AppError('attachment_unreadable', { detail });
}

/** The service's Node, the program, and the library with what it needs on this platform, which all lie beside it. */
function programMounts(): (readonly [host: string, inside: string])[] {
  const library = realpathSync(join(fileURLToPath(import.meta.resolve('sharp')), '../..'));
  const beside = join(library, '..');
  const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as Readonly<
    Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>
  >;
  const names = ['sharp', ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })];
  return [
    [process.execPath, `${inside}/node`],
    [fileURLToPath(import.meta.resolve('./draw-picture.mts')), `${inside}/draw-picture.mts`],
    ...names
      .filter((name) => existsSync(join(beside, name)))
      .map((name) => [realpathSync(join(beside, name)), `${inside}/node_modules/${name}`] as const),
  ];
}
