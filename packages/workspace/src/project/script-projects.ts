import * as z from 'zod';
import { type Detector, keptInTree } from './detector.ts';

/** Deno keeps its modules outside the tree; `-A` because a test in the sandbox needs no second one. */
export const denoProject: Detector = async (folder) => {
  const file = ['deno.json', 'deno.jsonc'].find((name) => folder.has(name));
  if (file === undefined) return null;
  const hasTask = /"tasks"\s*:\s*\{[^}]*"test"\s*:/.test((await folder.read(file)) ?? '');
  const hasTests = folder.files.some((path) => /(?:^|[/_.])test\.[cm]?[jt]sx?$/.test(path));
  if (!hasTask && !hasTests) return null;
  const test = hasTask ? 'deno task test' : 'deno test -A';
  return keptInTree({ DENO_DIR: 'deno' }, { setup: ['deno install'], test });
};

export const rubyProject: Detector = async (folder) => {
  const { files, has } = folder;
  const below = (pattern: RegExp) => files.some((path) => pattern.test(path));
  const runner =
    has('.rspec') || below(/^spec\/.*_spec\.rb$/)
      ? 'rspec'
      : !below(/^test\/.*\.rb$/)
        ? null
        : has('bin/rails')
          ? 'rails test'
          : has('Rakefile')
            ? 'rake test'
            : null;
  if (runner === null) return null;
  if (!has('Gemfile')) return { setup: null, test: runner };
  return keptInTree({ BUNDLE_PATH: 'bundle' }, { setup: ['bundle install'], test: `bundle exec ${runner}` });
};

const composerSchema = z.object({ scripts: z.object({ test: z.unknown() }).catch({ test: undefined }) });

export const phpProject: Detector = async (folder) => {
  const manifest = await folder.read('composer.json');
  if (manifest === null) return null;
  const parsed = composerSchema.safeParse(jsonIn(manifest));
  const hasScript = parsed.success && parsed.data.scripts.test !== undefined;
  const hasConfig = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'].some((name) => folder.has(name));
  if (!hasScript && !hasConfig) return null;
  return {
    setup: 'composer install --no-interaction --no-progress',
    test: hasScript ? 'composer test' : 'vendor/bin/phpunit',
  };
};

export const elixirProject: Detector = async (folder) => {
  const manifest = await folder.read('mix.exs');
  if (manifest === null || !folder.files.some((path) => /(^|\/)test\/.*_test\.exs$/.test(path))) return null;
  const test = 'mix test';
  if (!/\{\s*:\w+\s*,/.test(manifest) && !folder.has('mix.lock')) return { setup: null, test };
  const setup = ['mix local.hex --force', 'mix local.rebar --force', 'mix deps.get'];
  return keptInTree({ MIX_HOME: 'mix', HEX_HOME: 'hex' }, { setup, test });
};

export const dartProject: Detector = async (folder) => {
  const manifest = await folder.read('pubspec.yaml');
  if (manifest === null || !folder.files.some((path) => /^test\/.*_test\.dart$/.test(path))) return null;
  const tool = /^\s*sdk\s*:\s*flutter\s*$/m.test(manifest) ? 'flutter' : 'dart';
  return keptInTree({ PUB_CACHE: 'pub' }, { setup: [`${tool} pub get`], test: `${tool} test` });
};

/** Tests of shell scripts, in the folders that hold them. */
export const batsProject: Detector = async ({ files }) => {
  const folders = new Set(
    files.filter((path) => path.endsWith('.bats')).map((path) => path.split('/').slice(0, -1)[0] ?? '.'),
  );
  const plain = [...folders].filter((folder) => /^[\w.][\w.-]*$/.test(folder)).sort();
  return plain.length === 0 ? null : { setup: null, test: `bats --recursive ${plain.join(' ')}` };
};

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the tool reports it when it runs
  }
}
