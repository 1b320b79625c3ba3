import type { RepoSwitch } from './repo-change.ts';

interface SwitchText {
  readonly label: string;
  readonly hint: string;
  /** It works only with the issues or pull requests of the code host. */
  readonly isHosted?: true;
}

/** The effect of each setting of a repository. */
export const switchTexts: Readonly<Record<RepoSwitch, SwitchText>> = {
  requester_approves: {
    label: 'Let people approve issues that they created',
    hint: 'Off: somebody else has to approve the plan and the publication. Instructing and rejecting stay possible.',
  },
  test_before_gate: {
    label: 'Run the tests before a plan is made',
    hint: 'A test command that cannot run ends the issue at once, before it costs anything. Off: the tests run after you approve the plan.',
  },
  allow_red_base: {
    label: 'Let the built-in model pass beside failing tests',
    hint: 'Its change may pass although tests fail, if all of them failed at the base commit too. For other models that is so anyway.',
  },
  setup_network: {
    label: 'Give the setup command the network',
    hint: 'It may reach the package registries that the operator allows. Tests and agents never have a network.',
  },
  draft_change_request: {
    label: 'Open pull requests as drafts',
    hint: 'They are made ready when the build has passed, or by a person. Off: reviewers are asked at once.',
    isHosted: true,
  },
  auto_run: {
    label: 'Start labelled issues by themselves',
    hint: 'Issues with the label below start when they are imported, and stop at the gate like every other. Anybody who can set labels there causes costs.',
    isHosted: true,
  },
  mirror_members: {
    label: 'Take members over from the code host',
    hint: 'Those with access there are members here once their account is linked: read as viewer, write as approver, admin as admin. A role given below stays.',
    isHosted: true,
  },
};
