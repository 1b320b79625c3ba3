import type { CatalogEntry } from './error-kind.ts';

/** Why a stage fails: the part of the error catalogue that issues end with. */
export const pipelineErrors = {
  git_failed: { kind: 'pipeline', retry: true, message: 'A git operation failed.' },
  git_timeout: { kind: 'pipeline', retry: false, message: 'A git operation took too long.' },
  repo_too_large: {
    kind: 'pipeline',
    retry: false,
    message: 'The repository is larger than this server accepts.',
  },
  push_rejected: { kind: 'pipeline', retry: false, message: 'The remote refused the branch.' },
  branch_taken: {
    kind: 'pipeline',
    retry: false,
    message: 'The branch already exists with commits that Sluice did not make.',
  },
  workspace_lost: {
    kind: 'pipeline',
    retry: true,
    message: 'The working tree was lost, with the work in it. The round starts again.',
  },
  workspace_unsafe: {
    kind: 'pipeline',
    retry: false,
    message: 'The repository contains something that Sluice refuses to handle.',
  },
  lfs_content_refused: {
    kind: 'pipeline',
    retry: false,
    message: 'The change puts content where Git LFS stores files.',
  },
  sandbox_unavailable: { kind: 'pipeline', retry: false, message: 'The sandbox cannot run commands on this host.' },
  sandbox_failed: { kind: 'pipeline', retry: true, message: 'The sandbox could not start a command.' },
  disk_limit: { kind: 'pipeline', retry: false, message: 'A command used too much disk space.' },
  disk_full: { kind: 'unavailable', retry: true, message: 'The disk that holds the working trees is nearly full.' },
  setup_failed: { kind: 'pipeline', retry: false, message: 'The setup command failed.' },
  environment_failed: { kind: 'pipeline', retry: false, message: 'The test command cannot run in the sandbox.' },
  tests_red: { kind: 'pipeline', retry: false, message: 'The tests fail at the head.' },
  review_refused: { kind: 'pipeline', retry: false, message: 'The review asked for changes too many times.' },
  merge_unresolved: { kind: 'pipeline', retry: false, message: 'The base branch could not be merged.' },
  agent_blocked: { kind: 'pipeline', retry: false, message: 'The agent could not do what the plan asks.' },
  agent_output_invalid: { kind: 'pipeline', retry: true, message: 'The agent gave an answer in the wrong format.' },
  agent_turns_exceeded: { kind: 'pipeline', retry: false, message: 'The agent reached its limit of turns.' },
  agent_stuck: { kind: 'pipeline', retry: false, message: 'The agent went round in circles.' },
  budget_exhausted: { kind: 'pipeline', retry: false, message: 'The budget of the issue is used up.' },
  model_key_refused: { kind: 'pipeline', retry: false, message: 'The model provider refused the API key.' },
  model_quota_exhausted: {
    kind: 'pipeline',
    retry: false,
    message: 'The account at the model provider is out of quota.',
  },
  model_not_found: { kind: 'pipeline', retry: false, message: 'The model provider does not know the model.' },
  model_request_refused: { kind: 'pipeline', retry: false, message: 'The model provider refused the request.' },
  model_context_full: {
    kind: 'pipeline',
    retry: false,
    message: "The work does not fit into the model's context window.",
  },
  model_answer_withheld: { kind: 'pipeline', retry: false, message: 'The model provider withheld the answer.' },
  model_overloaded: {
    kind: 'upstream',
    retry: true,
    message: 'The model provider is overloaded or limits the rate of requests.',
  },
  model_unavailable: { kind: 'upstream', retry: true, message: 'The model provider could not be reached or failed.' },
  // It was asked twice, and a wrong address stays wrong.
  model_answer_unreadable: {
    kind: 'pipeline',
    retry: false,
    message: 'The model provider answered in a form that cannot be read.',
  },
  // It was asked twice: each try can take as long as MODEL_TIMEOUT.
  model_timeout: { kind: 'upstream', retry: false, message: 'The model did not finish its answer in time.' },
  nothing_to_do: { kind: 'pipeline', retry: false, message: 'The planner found nothing to do.' },
  nothing_changed: { kind: 'pipeline', retry: false, message: 'The implementation changed no file.' },
  stage_timeout: { kind: 'pipeline', retry: false, message: 'The stage took longer than STAGE_TIMEOUT.' },
  tool_refused: { kind: 'pipeline', retry: false, message: 'The tool refused the call.' },
} as const satisfies Record<string, CatalogEntry>;
