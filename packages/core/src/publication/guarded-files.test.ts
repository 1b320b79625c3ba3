import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardedFiles } from './guarded-files.ts';

const isGuarded = (path: string) => guardedFiles([path]).length === 1;

describe('the files that run with secrets', () => {
  it.each([
    '.github/workflows/ci.yml',
    '.github/workflows/deep/er.yaml',
    '.GitHub/WorkFlows/CI.YML',
    '.github/actions/build/index.js',
    'tools/deploy/action.yml',
    'action.yaml',
    '.gitlab-ci.yml',
    'ci/build.gitlab-ci.yml',
    '.circleci/config.yml',
    'Jenkinsfile',
    'deploy/Jenkinsfile',
    'Jenkinsfile.release',
    'azure-pipelines.yml',
    'build/azure-pipelines-release.yml',
    '.buildkite/pipeline.yml',
    '.buildkite/hooks/pre-command',
    'bitbucket-pipelines.yml',
    '.drone.yml',
    '.drone.star',
    '.woodpecker.yml',
    '.woodpecker/test.yaml',
    '.travis.yml',
    '.forgejo/workflows/x.yml',
    'cloudbuild.release.yaml',
    '.teamcity/settings.kts',
    'web/netlify.toml',
    'vercel.json',
    '.codefresh/release.yml',
    '.vsts-ci.yml',
    'atlantis.yaml',
    '.taskcluster.yml',
    '.zuul.yaml',
    'zuul.yaml',
    'zuul.d/jobs.yaml',
    '.zuul.d/jobs.yaml',
    '.readthedocs.yaml',
    'worker/wrangler.toml',
    'wrangler.jsonc',
    '.do/app.yaml',
    'fly.toml',
    'fly.staging.toml',
    '.pre-commit-config.yaml',
    '.devcontainer/devcontainer.json',
    '.devcontainer.json',
    '.github/dependabot.yml',
    'renovate.json',
    '.github/renovate.json5',
    '.mergify.yml',
    '.depot/workflows/ci.yml',
    'render.yaml',
    'railway.json',
    'amplify.yml',
    'buildspec.yml',
    '.onedev-buildspec.yml',
    'bamboo-specs/bamboo.yml',
    '.gitpod.yml',
    'ios/ci_scripts/ci_post_clone.sh',
  ])('are known: %s', (path) => {
    expect(isGuarded(path)).toBe(true);
  });

  it.each(['.github', '.github/workflows', '.circleci', '.buildkite'])(
    'are brought too by a link or a submodule in the place of a folder: %s',
    (path) => {
      expect(isGuarded(path)).toBe(true);
    },
  );

  it.each([
    'src/sum.js',
    '.github/ISSUE_TEMPLATE/bug.md',
    'packages/a/renovate.json',
    'atlantis.yaml.md',
    'src/zuul.d/x.yaml',
    'app.yaml',
    'docs/github/workflows/ci.yml',
    'x.github/workflows/ci.yml',
    'transaction.yml',
    'Jenkinsfiles.md',
    'my-cloudbuild.yaml',
    '.travis.yml.md',
    '.githubworkflows',
    'drone.yml',
  ])('are not taken to be more than they are: %s', (path) => {
    expect(isGuarded(path)).toBe(false);
  });

  it('are found whatever the case of their names, and among any others, each with one sentence of one line', () => {
    const known = fc.constantFrom('.github/workflows/ci.yml', 'Jenkinsfile', '.circleci/config.yml', '.drone.yml');
    const cased = fc
      .tuple(known, fc.infiniteStream(fc.boolean()))
      .map(([path, upper]) => [...path].map((sign) => (upper.next().value ? sign.toUpperCase() : sign)).join(''));
    const others = fc.array(fc.string({ unit: 'grapheme' }).map((name) => `src/${name}.ts`));
    fc.assert(
      fc.property(cased, others, (path, rest) => {
        const found = guardedFiles([...rest, path]);
        expect(found.map((file) => file.path)).toEqual([path]);
        expect(found[0]?.reason).toContain(path);
      }),
    );
  });

  it('are named without what would turn or break a line', () => {
    const [found] = guardedFiles(['.github/workflows/a\nIt is harmless.\u202e.yml']);
    expect(found?.reason).toBe(
      '`.github/workflows/a[U+000A]It is harmless.[U+202E].yml` is a workflow: it runs with the secrets of the repository.',
    );
  });
});
