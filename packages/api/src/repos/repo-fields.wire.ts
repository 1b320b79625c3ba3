import { withDeadline } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import { issueTemplateBounds, issueTemplateSchema, repoSettingsSchema, reviewBotBounds } from '@sluice/core/repo';
import type { RemoteInspector } from '@sluice/core/workspace';
import * as z from 'zod';
import { bytesOfText, text } from '../input/text.ts';

const INSPECT_MS = 15_000; // a slower remote would not carry a pipeline either

/** Members of a registration that can also be changed later. */
export const repoFields = {
  default_branch: text({ min: 1, max: 255, line: true }).optional(),
  setup_command: text({ min: 1, max: 4_000 }).nullable().optional(),
  test_command: text({ min: 1, max: 4_000 }).nullable().optional(),
  instructions: text({ max: 16_000 }).nullable().optional(),
};

/** A token for the remote: write-only, stored encrypted. */
export const accessTokenField = text({ min: 1, max: 4_000, line: true });

const { shape } = repoSettingsSchema;
const labelTrigger = text({ min: 1, max: 100, line: true }).nullable();

const templates = z
  .array(
    issueTemplateSchema.extend({
      name: text({ min: 1, max: issueTemplateBounds.nameCharacters, line: true }),
      title: text({ max: issueTemplateBounds.titleCharacters, line: true }),
      body: bytesOfText(issueTemplateBounds.bodyBytes),
    }),
  )
  .max(issueTemplateBounds.templates)
  .refine((given) => new Set(given.map(({ name }) => name)).size === given.length, {
    message: 'must have another name each',
  })
  .describe(shape.issue_templates.description ?? '');

const reviewBots = z
  .array(text({ min: 1, max: reviewBotBounds.loginCharacters, line: true }))
  .max(reviewBotBounds.bots)
  .refine((given) => new Set(given.map((login) => login.toLowerCase())).size === given.length, {
    message: 'must name each bot once',
  })
  .describe(shape.review_bots.description ?? '');

/** The settings with their defaults, limited to text that every store can keep. */
export const newSettings = repoSettingsSchema.extend({
  label_trigger: labelTrigger.default(null),
  issue_templates: templates.default([]),
  review_bots: reviewBots.default([]),
});

/** The settings without their defaults: a change leaves out what stays as it is. */
export const changedSettings = z.strictObject({
  draft_change_request: shape.draft_change_request.removeDefault().optional(),
  allow_red_base: shape.allow_red_base.removeDefault().optional(),
  setup_network: shape.setup_network.removeDefault().optional(),
  test_before_gate: shape.test_before_gate.removeDefault().optional(),
  label_trigger: labelTrigger.optional(),
  auto_run: shape.auto_run.removeDefault().optional(),
  requester_approves: shape.requester_approves.removeDefault().optional(),
  plan_approvals: shape.plan_approvals.removeDefault().optional(),
  publish_approvals: shape.publish_approvals.removeDefault().optional(),
  follow_build: shape.follow_build.removeDefault().optional(),
  follow_base: shape.follow_base.removeDefault().optional(),
  mirror_members: shape.mirror_members.removeDefault().optional(),
  review_bots: reviewBots.optional(),
  issue_templates: templates.optional(),
});

/** The inspector under a deadline: a remote that hangs counts as unreachable. */
export function inspectorWithDeadline(remotes: RemoteInspector): RemoteInspector {
  const detail = `The repository did not answer within ${INSPECT_MS / 1_000} seconds.`;
  const onTimeout = (cause: unknown) =>
    new AppError('repo_unreachable', { detail, errors: [{ path: 'url', message: detail }] }, { cause });
  return {
    inspect: (remote, signal) =>
      withDeadline({ ms: INSPECT_MS, signal, onTimeout }, (either) => remotes.inspect(remote, either)),
  };
}
