/** A repository by its files, and what a maintainer of it expects to be run. */
export interface DetectionFixture {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** What the setup command must hold; null: there is nothing to install. */
  readonly setup: readonly string[] | null;
  /** What the test command must hold. */
  readonly test: readonly string[];
}

const scripts = (of: Record<string, string>, rest: object = {}) => JSON.stringify({ scripts: of, ...rest });
const dependent = { dependencies: { left: '1.0.0' } };
const tested = scripts({ test: 'vitest run' }, { devDependencies: { vitest: '5.0.0' } });
const workspaces = JSON.stringify({ private: true, workspaces: ['packages/*'], devDependencies: { turbo: '2.0.0' } });
const members = { 'packages/a/package.json': scripts({ test: 'jest' }), 'packages/b/package.json': '{}' };
const pytest = { 'tests/test_a.py': 'import pytest\n\n\ndef test_a(): ...\n' };
const pyproject = (more: string) => `[project]\nname = "a"\ndependencies = ["click>=8"]\n\n${more}`;
const buildGradle = 'plugins {\n  id("java")\n}\ndependencies {\n  testImplementation("org.junit:junit:5")\n}\n';
const goTest = { 'a_test.go': 'package a\n' };

/**
 * The kinds of repositories by which detection is measured. What is expected was written down from what their
 * maintainers' own guides say, before the detector knew them.
 */
export const detectionFixtures: readonly DetectionFixture[] = [
  {
    name: 'npm with a lockfile',
    files: { 'package.json': tested, 'package-lock.json': '{}' },
    setup: ['npm ci'],
    test: ['npm test'],
  },
  {
    name: 'npm without a lockfile',
    files: { 'package.json': tested },
    setup: ['npm install'],
    test: ['npm test'],
  },
  {
    name: 'npm workspaces',
    files: { 'package.json': workspaces, 'package-lock.json': '{}', ...members },
    setup: ['npm ci'],
    test: ['npm test --workspaces --if-present'],
  },
  {
    name: 'pnpm workspaces',
    files: { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages: [packages/*]', 'pnpm-lock.yaml': '', ...members },
    setup: ['pnpm install --frozen-lockfile'],
    test: ['pnpm --recursive --no-bail test'],
  },
  {
    name: 'yarn 1',
    files: { 'package.json': tested, 'yarn.lock': '# yarn lockfile v1\n' },
    setup: ['yarn install --frozen-lockfile'],
    test: ['yarn test'],
  },
  {
    name: 'yarn 1 workspaces, all of them though one fails',
    files: { 'package.json': workspaces, 'yarn.lock': '# yarn lockfile v1\n', ...members },
    setup: ['yarn install --frozen-lockfile'],
    test: ['test --workspaces --if-present'],
  },
  {
    name: 'yarn berry workspaces',
    files: { 'package.json': workspaces, 'yarn.lock': '__metadata:\n', '.yarnrc.yml': '', ...members },
    setup: ['yarn install --immutable'],
    test: ['yarn workspaces foreach --all run test'],
  },
  {
    name: 'turborepo with a test script in the root',
    files: {
      'package.json': scripts({ test: 'turbo run test' }, { workspaces: ['packages/*'] }),
      'turbo.json': '{}',
      'package-lock.json': '{}',
      ...members,
    },
    setup: ['npm ci'],
    test: ['npm test'],
  },
  {
    name: 'turborepo without one',
    files: { 'package.json': workspaces, 'turbo.json': '{}', 'package-lock.json': '{}', ...members },
    setup: ['npm ci'],
    test: ['npm test --workspaces --if-present'],
  },
  {
    name: 'pytest without dependencies',
    files: { 'pyproject.toml': '[tool.pytest.ini_options]\n', ...pytest },
    setup: null,
    test: ['python3 -m pytest'],
  },
  {
    name: 'cargo',
    files: { 'Cargo.toml': '[package]\nname = "a"\n', 'src/lib.rs': '' },
    setup: null,
    test: ['cargo test --no-fail-fast'],
  },
  {
    name: 'a cargo workspace with dependencies',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a"]\n',
      'a/Cargo.toml': '[package]\nname = "a"\n\n[dependencies]\nserde = "1"\n',
      'Cargo.lock': '',
    },
    setup: ['cargo fetch'],
    test: ['cargo test --no-fail-fast --workspace'],
  },
  {
    name: 'go',
    files: { 'go.mod': 'module a\n\nrequire example.com/b v1.0.0\n', ...goTest },
    setup: ['go mod download'],
    test: ['go test ./...'],
  },
  {
    name: 'go.work with nested modules',
    files: { 'go.work': 'use (\n  ./a\n  ./b\n)\n', 'a/go.mod': 'module a\n', 'b/go.mod': 'module b\n' },
    setup: null,
    test: ['cd a && go test ./...', 'cd b && go test ./...'],
  },
  {
    name: 'maven',
    files: { 'pom.xml': '<project/>', 'src/test/java/ATest.java': '' },
    setup: ['maven.repo.local', 'mvn -B -fae test'],
    test: ['mvn', 'test'],
  },
  {
    name: 'maven with its wrapper',
    files: { 'pom.xml': '<project/>', mvnw: '#!/bin/sh\n' },
    setup: ['maven.repo.local', './mvnw -B -fae test'],
    test: ['./mvnw', 'test'],
  },
  { name: 'make test', files: { Makefile: 'test:\n\t./t.sh\n' }, setup: null, test: ['make test'] },
  {
    name: 'a Python service beside a JavaScript one',
    files: {
      'api/pyproject.toml': '[tool.pytest.ini_options]\n',
      'api/tests/test_a.py': '',
      'web/package.json': tested,
      'web/package-lock.json': '{}',
    },
    setup: ['cd web && npm ci'],
    test: ['cd api && python3 -m pytest', 'cd web && npm test'],
  },
  {
    name: 'services below a root that has only tools',
    files: {
      'package.json': JSON.stringify({ devDependencies: { prettier: '3.0.0' } }),
      'api/go.mod': 'module a\n',
      'web/package.json': tested,
    },
    setup: ['cd web && npm install'],
    test: ['cd api && go test ./...', 'cd web && npm test'],
  },
  {
    name: 'uv',
    files: { 'pyproject.toml': pyproject('[dependency-groups]\ndev = ["pytest"]\n'), 'uv.lock': '', ...pytest },
    setup: ['uv sync'],
    test: ['pytest'],
  },
  {
    name: 'poetry',
    files: {
      'pyproject.toml': '[tool.poetry]\nname = "a"\n[tool.poetry.dependencies]\npython = "^3.11"\nclick = "8"\n',
      'poetry.lock': '',
      ...pytest,
    },
    setup: ['poetry install'],
    test: ['pytest'],
  },
  {
    name: 'pipenv',
    files: { Pipfile: '[packages]\nclick = "*"\n[dev-packages]\npytest = "*"\n', 'Pipfile.lock': '{}', ...pytest },
    setup: ['pipenv sync --dev'],
    test: ['pytest'],
  },
  {
    name: 'requirements files',
    files: { 'requirements.txt': 'click==8\n', 'requirements-dev.txt': 'pytest\n', 'a.py': '', ...pytest },
    setup: ['pip install', '-r requirements.txt', '-r requirements-dev.txt'],
    test: ['.venv', 'python3 -m pytest'],
  },
  {
    name: 'tox',
    files: {
      'tox.ini': '[tox]\nenvlist = py311\n[testenv]\ndeps = pytest\n    responses>=0.2\ncommands = pytest {posargs}\n',
      'setup.py': 'from setuptools import setup\nsetup(install_requires=["click"])\n',
      ...pytest,
    },
    setup: ['pip install', '-e .', 'pytest', 'responses>=0.2'],
    test: ['python3 -m pytest'],
  },
  {
    name: 'a src layout with optional test dependencies',
    files: {
      'pyproject.toml': pyproject('[project.optional-dependencies]\ntest = ["pytest"]\n'),
      'src/a/__init__.py': '',
      ...pytest,
    },
    setup: ['pip install', "-e '.[test]'"],
    test: ['python3 -m pytest'],
  },
  {
    name: 'a src layout that needs nothing installed',
    files: { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'src/a/__init__.py': '', ...pytest },
    setup: null,
    test: ['PYTHONPATH=src', 'python3 -m pytest'],
  },
  {
    name: 'hatch',
    files: {
      'pyproject.toml': pyproject(
        '[build-system]\nrequires = ["hatchling"]\n[tool.hatch.envs.test]\ndependencies = [\n  "pytest",\n  "pytest-mock",\n]\n',
      ),
      ...pytest,
    },
    setup: ['pip install', '-e .', 'pytest-mock'],
    test: ['python3 -m pytest'],
  },
  {
    name: 'django',
    files: {
      'manage.py': 'import django\n',
      'requirements.txt': 'django==5\n',
      'shop/tests.py': 'from django.test import TestCase\n',
    },
    setup: ['pip install', '-r requirements.txt'],
    test: ['python3 manage.py test'],
  },
  {
    name: 'unittest',
    files: { 'a.py': '', 'tests/__init__.py': '', 'tests/test_a.py': 'import unittest\n' },
    setup: null,
    test: ['python3 -m unittest'],
  },
  {
    name: 'bun with a test script',
    files: { 'package.json': tested, 'bun.lock': '{}' },
    setup: ['bun install --frozen-lockfile'],
    test: ['bun run test'],
  },
  {
    name: 'bun without a script',
    files: {
      'package.json': JSON.stringify(dependent),
      'bun.lockb': '',
      'a.test.ts': "import { test } from 'bun:test';",
    },
    setup: ['bun install --frozen-lockfile'],
    test: ['bun test'],
  },
  {
    name: 'node:test without a script',
    files: { 'package.json': '{"type":"module"}', 'test/a.test.js': "import { test } from 'node:test';" },
    setup: null,
    test: ['node --test'],
  },
  {
    name: 'a script called test:unit',
    files: {
      'package.json': scripts({ 'test:unit': 'vitest run', lint: 'eslint .' }, dependent),
      'package-lock.json': '{}',
    },
    setup: ['npm ci'],
    test: ['npm run test:unit'],
  },
  {
    name: 'nx',
    files: {
      'package.json': JSON.stringify({ devDependencies: { nx: '22.0.0' } }),
      'package-lock.json': '{}',
      'nx.json': '{}',
      'apps/a/project.json': '{"targets":{"test":{}}}',
    },
    setup: ['npm ci'],
    test: ['nx run-many', 'test'],
  },
  {
    name: 'vitest without a script',
    files: {
      'package.json': JSON.stringify({ devDependencies: { vitest: '5.0.0' } }),
      'package-lock.json': '{}',
      'src/a.test.ts': '',
    },
    setup: ['npm ci'],
    test: ['vitest run'],
  },
  {
    name: 'gradle with its wrapper',
    files: { gradlew: '#!/bin/sh\n', 'build.gradle.kts': buildGradle, 'settings.gradle.kts': '' },
    setup: ['./gradlew'],
    test: ['./gradlew', 'test --continue'],
  },
  {
    name: 'gradle without its wrapper',
    files: { 'build.gradle': buildGradle },
    setup: ['gradle'],
    test: ['gradle', 'test --continue'],
  },
  {
    name: 'dotnet',
    files: { 'Shop.sln': '', 'src/Shop/Shop.csproj': '', 'tests/Shop.Tests/Shop.Tests.csproj': '' },
    setup: ['dotnet restore'],
    test: ['dotnet test'],
  },
  {
    name: 'rspec',
    files: { Gemfile: "gem 'rspec'\n", 'Gemfile.lock': '', '.rspec': '', 'spec/a_spec.rb': '' },
    setup: ['bundle install'],
    test: ['bundle exec rspec'],
  },
  {
    name: 'rails',
    files: { Gemfile: "gem 'rails'\n", 'Gemfile.lock': '', 'bin/rails': '', 'test/models/a_test.rb': '' },
    setup: ['bundle install'],
    test: ['bundle exec rails test'],
  },
  {
    name: 'elixir',
    files: { 'mix.exs': 'defp deps do\n  [{:jason, "~> 1.4"}]\nend\n', 'mix.lock': '', 'test/a_test.exs': '' },
    setup: ['mix deps.get'],
    test: ['mix test'],
  },
  {
    name: 'composer with a test script',
    files: { 'composer.json': scripts({ test: 'pest' }), 'composer.lock': '{}' },
    setup: ['composer install'],
    test: ['composer test'],
  },
  {
    name: 'phpunit without a script',
    files: { 'composer.json': '{}', 'phpunit.xml.dist': '' },
    setup: ['composer install'],
    test: ['vendor/bin/phpunit'],
  },
  {
    name: 'deno',
    files: { 'deno.json': '{ "tasks": { "dev": "deno run a.ts" } }', 'a_test.ts': '' },
    setup: ['deno install'],
    test: ['deno test'],
  },
  { name: 'make check', files: { Makefile: 'check: all\n\t./t.sh\n' }, setup: null, test: ['make check'] },
  {
    name: 'cmake',
    files: { 'CMakeLists.txt': 'project(a)\nenable_testing()\nadd_test(NAME a COMMAND a)\n' },
    setup: null,
    test: ['cmake -S . -B build', 'cmake --build build', 'ctest --test-dir build'],
  },
  {
    name: 'meson',
    files: { 'meson.build': "project('a', 'c')\ntest('a', exe)\n" },
    setup: null,
    test: ['meson setup', 'meson test'],
  },
  {
    name: 'just',
    files: { justfile: 'build:\n  true\n\ntest *args: build\n  ./t.sh\n' },
    setup: null,
    test: ['just test'],
  },
  {
    name: 'Taskfile',
    files: { 'Taskfile.yml': "version: '3'\ntasks:\n  test:\n    cmds: [./t.sh]\n" },
    setup: null,
    test: ['task test'],
  },
  {
    name: 'swift',
    files: { 'Package.swift': '.package(url: "https://example.com/b", from: "1.0.0")', 'Tests/ATests/A.swift': '' },
    setup: ['swift package resolve'],
    test: ['swift test'],
  },
  {
    name: 'dart',
    files: { 'pubspec.yaml': 'name: a\n', 'test/a_test.dart': '' },
    setup: ['dart pub get'],
    test: ['dart test'],
  },
  {
    name: 'flutter',
    files: { 'pubspec.yaml': 'dependencies:\n  flutter:\n    sdk: flutter\n', 'test/a_test.dart': '' },
    setup: ['flutter pub get'],
    test: ['flutter test'],
  },
  { name: 'sbt', files: { 'build.sbt': '', 'src/test/scala/A.scala': '' }, setup: null, test: ['sbt', 'test'] },
  { name: 'zig', files: { 'build.zig': 'const t = b.step("test", "Run");\n' }, setup: null, test: ['zig build test'] },
  {
    name: 'cabal',
    files: { 'a.cabal': 'test-suite spec\n', 'cabal.project': 'packages: .\n' },
    setup: ['cabal update', 'cabal build all --enable-tests --only-dependencies'],
    test: ['cabal test all'],
  },
  {
    name: 'stack',
    files: { 'stack.yaml': '', 'package.yaml': 'tests: {}\n' },
    setup: ['stack build --test --only-dependencies'],
    test: ['stack test'],
  },
  { name: 'bats', files: { 'a.sh': '', 'test/a.bats': '' }, setup: null, test: ['bats', 'test'] },
  { name: 'bazel', files: { 'MODULE.bazel': '', BUILD: '' }, setup: null, test: ['bazel test //...'] },
  {
    name: 'go with a web front end',
    files: { 'go.mod': 'module a\n', ...goTest, 'web/package.json': tested, 'web/package-lock.json': '{}' },
    setup: ['cd web && npm ci'],
    test: ['go test ./...', 'cd web && npm test'],
  },
  {
    name: 'rust with Python bindings',
    files: {
      'Cargo.toml': '[package]\nname = "a"\n',
      'pyproject.toml': '[build-system]\nrequires = ["maturin"]\n[project]\nname = "a"\n',
      ...pytest,
    },
    setup: ['pip install', '-e .'],
    test: ['cargo test', 'python3 -m pytest'],
  },
  {
    name: 'six services side by side',
    files: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`services/${name}/go.mod`, 'module x\n'])),
    setup: null,
    test: ['cd services/a && go test ./...', 'cd services/f && go test ./...'],
  },
  {
    name: 'projects three folders deep',
    files: { 'src/server/api/go.mod': 'module a\n', 'README.md': '' },
    setup: null,
    test: ['cd src/server/api && go test ./...'],
  },
  {
    name: 'a dev container and a test script',
    files: {
      '.devcontainer/devcontainer.json': '{\n  // how we work\n  "postCreateCommand": "./scripts/bootstrap.sh"\n}\n',
      'scripts/bootstrap.sh': '#!/bin/sh\n',
      'scripts/test.sh': '#!/bin/bash\n',
    },
    setup: ['./scripts/bootstrap.sh'],
    test: ['bash ./scripts/test.sh'],
  },
  {
    name: 'only a CI workflow that tells',
    files: {
      '.github/workflows/ci.yml':
        'jobs:\n  test:\n    steps:\n      - run: ./configure\n      - run: ./ci/run-tests --all\n',
      'ci/run-tests': '#!/bin/sh\n',
    },
    setup: null,
    test: ['./ci/run-tests --all'],
  },
];
