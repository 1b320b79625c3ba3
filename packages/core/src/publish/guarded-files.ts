import { visibleLine } from './visible-text.ts';

/** Files that a build service runs, or is told by what to run. */
interface GuardedFiles {
  /** Folders with all that is in them, from the repository's root. */
  readonly folders?: readonly string[];
  /** Files at the repository's root. */
  readonly files?: readonly string[];
  /** Files of that name in any folder; `*` stands for any part of a name. */
  readonly names?: readonly string[];
  /** Follows the file's name in a sentence. */
  readonly why: string;
}

/**
 * What runs with secrets of the code host or of a build service, often as soon as a branch is pushed and before anybody
 * has looked at it. Such a file is published only after a person's word.
 */
const guarded: readonly GuardedFiles[] = [
  {
    folders: ['.github/workflows', '.gitea/workflows', '.forgejo/workflows'],
    why: 'is a workflow: it runs with the secrets of the repository',
  },
  {
    folders: ['.github/actions', '.gitea/actions', '.forgejo/actions'],
    names: ['action.yml', 'action.yaml'],
    why: 'is part of an action: workflows run it with the secrets of the repository',
  },
  {
    folders: ['.gitlab/ci'],
    names: ['.gitlab-ci.yml', '.gitlab-ci.yaml', '*.gitlab-ci.yml', '*.gitlab-ci.yaml'],
    why: 'is a pipeline of GitLab: it runs with the variables of the project',
  },
  { folders: ['.circleci'], why: 'configures CircleCI, which runs it with the secrets of the project' },
  {
    names: ['Jenkinsfile', 'Jenkinsfile.*', '*.jenkinsfile'],
    why: 'is a pipeline of Jenkins, which runs it with its credentials',
  },
  {
    folders: ['.azure-pipelines', '.azuredevops', '.pipelines'],
    files: ['.vsts-ci.yml'],
    names: ['azure-pipelines*.yml', 'azure-pipelines*.yaml'],
    why: 'is a pipeline of Azure, which runs it with the variables of the project',
  },
  {
    folders: ['.buildkite'],
    files: ['buildkite.yml', 'buildkite.yaml', 'buildkite.json'],
    why: 'is a pipeline of Buildkite, whose agents run it with their secrets',
  },
  {
    files: ['bitbucket-pipelines.yml', 'bitbucket-pipelines.yaml'],
    why: 'is a pipeline of Bitbucket, which runs it with the variables of the repository',
  },
  {
    folders: ['.drone'],
    names: ['.drone.*'],
    why: 'is a pipeline of Drone, which runs it with the secrets of the repository',
  },
  {
    folders: ['.woodpecker'],
    names: ['.woodpecker.*'],
    why: 'is a pipeline of Woodpecker, which runs it with the secrets of the repository',
  },
  {
    files: ['.travis.yml', '.travis.yaml'],
    why: 'configures Travis CI, which runs it with the variables of the repository',
  },
  {
    files: ['appveyor.yml', '.appveyor.yml', 'appveyor.yaml', '.appveyor.yaml'],
    why: 'configures AppVeyor, which runs it with the variables of the project',
  },
  {
    files: ['.cirrus.yml', '.cirrus.yaml', '.cirrus.star'],
    why: 'configures Cirrus CI, which runs it with the variables of the repository',
  },
  { folders: ['.semaphore'], why: 'configures Semaphore, which runs it with the secrets of the project' },
  { folders: ['.teamcity'], why: 'configures TeamCity, which runs it with the parameters of the project' },
  { folders: ['.tekton'], why: 'is a pipeline of Tekton, which runs it with the secrets of its cluster' },
  {
    folders: ['.builds'],
    files: ['.build.yml'],
    why: 'is a build of SourceHut, which runs it with the secrets that it names',
  },
  {
    names: ['cloudbuild*.yaml', 'cloudbuild*.yml', 'cloudbuild*.json'],
    why: 'is a build of Google Cloud, which runs it with the rights of its service account',
  },
  {
    names: ['buildspec*.yml', 'buildspec*.yaml'],
    why: 'is a build of AWS, which runs it with the rights of its role',
  },
  {
    names: ['netlify.toml', 'vercel.json', 'amplify.yml', 'amplify.yaml', 'render.yaml', 'heroku.yml'],
    why: 'tells a hosting service how to build each branch, which it does with the secrets of the site',
  },
  {
    folders: ['.harness', '.codefresh'],
    files: ['codefresh.yml', 'codefresh.yaml'],
    why: 'configures a build service, which runs it with the secrets of the project',
  },
  {
    files: ['codemagic.yaml', 'codemagic.yml', 'bitrise.yml', 'bitrise.yaml', 'wercker.yml'],
    why: 'configures a build service, which runs it with the secrets of the project',
  },
];

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly why: string;
}

const rules: readonly Rule[] = guarded.map(({ folders = [], files = [], names = [], why }) => {
  const patterns = names.map(namePattern);
  return {
    why,
    matches: (path) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return (
        // A link or a submodule in the place of the folder, or of one above it, brings files that are named nowhere.
        folders.some((folder) => path.startsWith(`${folder}/`) || folder === path || folder.startsWith(`${path}/`)) ||
        files.includes(path) ||
        patterns.some((pattern) => pattern.test(name))
      );
    },
  };
});

/** Written without case: so is what a repository looks like where file names have none. */
function namePattern(name: string): RegExp {
  const parts = name
    .toLowerCase()
    .split('*')
    .map((part) => part.replaceAll(/[.]/g, '\\.'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/** A changed file that a person has to let be published, and why, as one sentence. */
interface GuardedFile {
  readonly path: string;
  readonly reason: string;
}

/**
 * Of the changed files (made, changed, deleted; of a renamed one both names) those that run with somebody's secrets.
 *
 * @param changed paths as git spells them
 */
export function guardedFiles(changed: readonly string[]): GuardedFile[] {
  return changed.flatMap((path) => {
    const rule = rules.find(({ matches }) => matches(path.toLowerCase()));
    return rule === undefined ? [] : [{ path, reason: `\`${visibleLine(path)}\` ${rule.why}.` }];
  });
}
