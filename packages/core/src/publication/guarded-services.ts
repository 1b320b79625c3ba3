/** Files that a service executes, or that configure what it executes. */
export interface GuardedService {
  readonly service: string;
  /**
   * Patterns as in `.gitignore`, ignoring case: with a trailing slash, a folder at the root with all its content; with a
   * leading slash, a file at the root; otherwise a file name in any folder. `*` matches any part of a name.
   */
  readonly paths: readonly string[];
  /** Completes a sentence that starts with the file's name. */
  readonly why: string;
  /** The service's own documentation. */
  readonly source: string;
}

/**
 * Files that run with secrets of the code host or of a hosted service, often as soon as a branch is pushed and before a
 * review. Files that only developers' machines run are not on the list.
 */
export const guardedServices: readonly GuardedService[] = [
  {
    service: 'GitHub Actions, Gitea and Forgejo',
    paths: ['.github/workflows/', '.gitea/workflows/', '.forgejo/workflows/', '.depot/workflows/'],
    why: 'is a workflow: it runs with the secrets of the repository',
    source: 'https://docs.github.com/en/actions',
  },
  {
    service: 'GitHub Actions, Gitea and Forgejo',
    paths: ['.github/actions/', '.gitea/actions/', '.forgejo/actions/', '.depot/actions/', 'action.yml', 'action.yaml'],
    why: 'is part of an action: workflows run it with the secrets of the repository',
    source: 'https://docs.github.com/en/actions',
  },
  {
    service: 'GitLab CI',
    paths: ['.gitlab/ci/', '.gitlab-ci.yml', '.gitlab-ci.yaml', '*.gitlab-ci.yml', '*.gitlab-ci.yaml'],
    why: 'is a pipeline of GitLab: it runs with the variables of the project',
    source: 'https://docs.gitlab.com/ci/yaml/',
  },
  {
    service: 'CircleCI',
    paths: ['.circleci/'],
    why: 'configures CircleCI, which runs it with the secrets of the project',
    source: 'https://circleci.com/docs/',
  },
  {
    service: 'Jenkins',
    paths: ['Jenkinsfile', 'Jenkinsfile.*', '*.jenkinsfile'],
    why: 'is a pipeline of Jenkins, which runs it with its credentials',
    source: 'https://www.jenkins.io/doc/book/pipeline/',
  },
  {
    service: 'Azure Pipelines',
    paths: [
      '.azure-pipelines/',
      '.azuredevops/',
      '.pipelines/',
      '/.vsts-ci.yml',
      'azure-pipelines*.yml',
      'azure-pipelines*.yaml',
    ],
    why: 'is a pipeline of Azure, which runs it with the variables of the project',
    source: 'https://learn.microsoft.com/azure/devops/pipelines/',
  },
  {
    service: 'Buildkite',
    paths: ['.buildkite/', '/buildkite.yml', '/buildkite.yaml', '/buildkite.json'],
    why: 'is a pipeline of Buildkite, whose agents run it with their secrets',
    source: 'https://buildkite.com/docs/pipelines',
  },
  {
    service: 'Bitbucket Pipelines',
    paths: ['/bitbucket-pipelines.yml', '/bitbucket-pipelines.yaml'],
    why: 'is a pipeline of Bitbucket, which runs it with the variables of the repository',
    source: 'https://support.atlassian.com/bitbucket-cloud/',
  },
  {
    service: 'Bamboo',
    paths: ['bamboo-specs/'],
    why: 'is a plan of Bamboo, which runs it with the variables of the project',
    source: 'https://docs.atlassian.com/bamboo-specs-docs/',
  },
  {
    service: 'Drone',
    paths: ['.drone/', '.drone.*'],
    why: 'is a pipeline of Drone, which runs it with the secrets of the repository',
    source: 'https://docs.drone.io/',
  },
  {
    service: 'Woodpecker',
    paths: ['.woodpecker/', '.woodpecker.*'],
    why: 'is a pipeline of Woodpecker, which runs it with the secrets of the repository',
    source: 'https://woodpecker-ci.org/docs/',
  },
  {
    service: 'Travis CI',
    paths: ['/.travis.yml', '/.travis.yaml'],
    why: 'configures Travis CI, which runs it with the variables of the repository',
    source: 'https://docs.travis-ci.com/',
  },
  {
    service: 'AppVeyor',
    paths: ['/appveyor.yml', '/.appveyor.yml', '/appveyor.yaml', '/.appveyor.yaml'],
    why: 'configures AppVeyor, which runs it with the variables of the project',
    source: 'https://www.appveyor.com/docs/',
  },
  {
    service: 'Cirrus CI',
    paths: ['/.cirrus.yml', '/.cirrus.yaml', '/.cirrus.star'],
    why: 'configures Cirrus CI, which runs it with the variables of the repository',
    source: 'https://cirrus-ci.org/',
  },
  {
    service: 'Semaphore',
    paths: ['.semaphore/'],
    why: 'configures Semaphore, which runs it with the secrets of the project',
    source: 'https://docs.semaphore.io/',
  },
  {
    service: 'TeamCity',
    paths: ['.teamcity/'],
    why: 'configures TeamCity, which runs it with the parameters of the project',
    source: 'https://www.jetbrains.com/help/teamcity/',
  },
  {
    service: 'Tekton',
    paths: ['.tekton/'],
    why: 'is a pipeline of Tekton, which runs it with the secrets of its cluster',
    source: 'https://tekton.dev/docs/',
  },
  {
    service: 'SourceHut',
    paths: ['.builds/', '/.build.yml'],
    why: 'is a build of SourceHut, which runs it with the secrets that it names',
    source: 'https://man.sr.ht/builds.sr.ht/',
  },
  {
    service: 'Taskcluster',
    paths: ['/.taskcluster.yml'],
    why: 'is a task of Taskcluster, which runs it with the scopes of the repository',
    source: 'https://docs.taskcluster.net/',
  },
  {
    service: 'Zuul',
    paths: ['/.zuul.yaml', '/zuul.yaml', 'zuul.d/', '.zuul.d/'],
    why: 'configures Zuul, which runs it with the secrets of the project',
    source: 'https://zuul-ci.org/docs/',
  },
  {
    service: 'OneDev',
    paths: ['/.onedev-buildspec.yml'],
    why: 'is a build of OneDev, which runs it with the secrets of the project',
    source: 'https://docs.onedev.io/',
  },
  {
    service: 'GoCD',
    paths: ['*.gocd.yaml', '*.gopipeline.json'],
    why: 'is a pipeline of GoCD, which runs it with the secrets of its server',
    source: 'https://docs.gocd.org/',
  },
  {
    service: 'Screwdriver',
    paths: ['/screwdriver.yaml'],
    why: 'is a pipeline of Screwdriver, which runs it with the secrets of the pipeline',
    source: 'https://docs.screwdriver.cd/',
  },
  {
    service: 'Google Cloud Build',
    paths: ['cloudbuild*.yaml', 'cloudbuild*.yml', 'cloudbuild*.json'],
    why: 'is a build of Google Cloud, which runs it with the rights of its service account',
    source: 'https://cloud.google.com/build/docs',
  },
  {
    service: 'AWS CodeBuild and CodeDeploy',
    paths: ['buildspec*.yml', 'buildspec*.yaml', 'appspec.yml', 'appspec.yaml'],
    why: 'is a build of AWS, which runs it with the rights of its role',
    source: 'https://docs.aws.amazon.com/codebuild/',
  },
  {
    service: 'Harness and Codefresh',
    paths: ['.harness/', '.codefresh/', '/codefresh.yml', '/codefresh.yaml'],
    why: 'configures a build service, which runs it with the secrets of the project',
    source: 'https://codefresh.io/docs/',
  },
  {
    service: 'Codemagic, Bitrise and Wercker',
    paths: ['/codemagic.yaml', '/codemagic.yml', '/bitrise.yml', '/bitrise.yaml', '/wercker.yml'],
    why: 'configures a build service, which runs it with the secrets of the project',
    source: 'https://docs.codemagic.io/',
  },
  {
    service: 'Xcode Cloud',
    paths: ['ci_post_clone.sh', 'ci_pre_xcodebuild.sh', 'ci_post_xcodebuild.sh'],
    why: 'is run by Xcode Cloud with the environment of the workflow',
    source: 'https://developer.apple.com/documentation/xcode/',
  },
  {
    service: 'Expo Application Services',
    paths: ['.eas/', 'eas.json'],
    why: 'configures Expo builds, which run with the secrets of the project',
    source: 'https://docs.expo.dev/eas/',
  },
  {
    service: 'Nx Cloud',
    paths: ['.nx/workflows/'],
    why: 'configures what the agents of Nx Cloud run with their secrets',
    source: 'https://nx.dev/ci/',
  },
  {
    service: 'Packit',
    paths: ['/.packit.yaml', '/.packit.yml', '/packit.yaml', '/packit.yml'],
    why: 'configures Packit, which runs it with the rights of the project',
    source: 'https://packit.dev/docs/',
  },
  {
    service: 'Netlify, Vercel, Amplify, Render and Heroku',
    paths: [
      'netlify.toml',
      'vercel.json',
      'vercel.ts',
      'now.json',
      'amplify.yml',
      'amplify.yaml',
      'render.yaml',
      'heroku.yml',
    ],
    why: 'configures how a hosting service builds each branch with the secrets of the site',
    source: 'https://docs.netlify.com/',
  },
  {
    service: 'Cloudflare Workers and Pages',
    paths: ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'],
    why: 'configures how Cloudflare builds each branch with the secrets of the project',
    source: 'https://developers.cloudflare.com/workers/wrangler/configuration/',
  },
  {
    service: 'DigitalOcean App Platform',
    paths: ['.do/'],
    why: 'configures how DigitalOcean builds and runs the app with its secrets',
    source: 'https://docs.digitalocean.com/products/app-platform/',
  },
  {
    service: 'Fly.io',
    paths: ['fly.toml', 'fly.*.toml'],
    why: 'configures how Fly.io builds and runs the app with its secrets',
    source: 'https://fly.io/docs/reference/configuration/',
  },
  {
    service: 'Railway',
    paths: ['railway.json', 'railway.toml', 'nixpacks.toml'],
    why: 'configures how Railway builds each branch with the variables of the project',
    source: 'https://docs.railway.com/',
  },
  {
    service: 'Platform.sh and Upsun',
    paths: ['.platform/', '.platform.app.yaml', '.upsun/'],
    why: 'configures how a hosting service builds each branch with the variables of the project',
    source: 'https://docs.upsun.com/',
  },
  {
    service: 'Firebase App Hosting',
    paths: ['apphosting.yaml', 'apphosting.*.yaml'],
    why: 'configures how Firebase builds each branch with the secrets that it names',
    source: 'https://firebase.google.com/docs/app-hosting',
  },
  {
    service: 'Read the Docs',
    paths: ['/.readthedocs.yaml', '/.readthedocs.yml', '/readthedocs.yaml', '/readthedocs.yml'],
    why: 'configures what Read the Docs runs with the variables of the project',
    source: 'https://docs.readthedocs.com/platform/stable/config-file/v2.html',
  },
  {
    service: 'Atlantis, Digger, Spacelift, Terrateam and env0',
    paths: ['/atlantis.yaml', '/digger.yml', '.spacelift/', '.terrateam/', 'env0.yml', 'env0.yaml'],
    why: 'configures what a service runs with the credentials of your infrastructure',
    source: 'https://www.runatlantis.io/docs/',
  },
  {
    service: 'pre-commit.ci',
    paths: ['/.pre-commit-config.yaml'],
    why: 'names hooks that pre-commit.ci runs, with the right to push to pull requests',
    source: 'https://pre-commit.ci/',
  },
  {
    service: 'Dependabot',
    paths: ['/.github/dependabot.yml', '/.github/dependabot.yaml'],
    why: 'configures Dependabot, which has the secrets of its registries and opens pull requests',
    source: 'https://docs.github.com/en/code-security/dependabot',
  },
  {
    service: 'Renovate',
    paths: [
      '/renovate.json',
      '/renovate.json5',
      '/.renovaterc',
      '/.renovaterc.json',
      '/.renovaterc.json5',
      '/.github/renovate.json',
      '/.github/renovate.json5',
      '/.gitlab/renovate.json',
      '/.gitlab/renovate.json5',
    ],
    why: 'configures Renovate, which runs with a token for the repository and may merge',
    source: 'https://docs.renovatebot.com/configuration-options/',
  },
  {
    service: 'Mergify, Kodiak and Bors',
    paths: [
      '/.mergify.yml',
      '.mergify/',
      '/.github/mergify.yml',
      '/.kodiak.toml',
      '/.github/.kodiak.toml',
      '/bors.toml',
    ],
    why: 'says what a service merges by itself',
    source: 'https://docs.mergify.com/',
  },
  {
    service: 'Probot Settings',
    paths: ['/.github/settings.yml'],
    why: 'sets what the repository allows, which a service carries out with the rights of an administrator',
    source: 'https://github.com/repository-settings/app',
  },
  {
    service: 'Dev containers: Codespaces and prebuilds',
    paths: ['.devcontainer/', '/.devcontainer.json'],
    why: 'configures what a development container runs with the secrets of its user',
    source: 'https://containers.dev/implementors/spec/',
  },
  {
    service: 'Gitpod and CodeSandbox',
    paths: ['/.gitpod.yml', '/.gitpod.dockerfile', '.codesandbox/'],
    why: 'configures what a hosted workspace runs with the secrets of its user',
    source: 'https://www.gitpod.io/docs/',
  },
];
