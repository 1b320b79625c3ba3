CREATE TABLE `account_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`email_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `account_links_end` ON `account_links` (`expires_at`);

CREATE INDEX `account_links_user` ON `account_links` (`user_id`,`purpose`,`created_at`);

CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`repo_id` text,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	`last_client` text,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `api_tokens_expired` ON `api_tokens` (`expires_at`);

CREATE UNIQUE INDEX `api_tokens_hash` ON `api_tokens` (`hash`);

CREATE INDEX `api_tokens_repo` ON `api_tokens` (`repo_id`,`id`) WHERE repo_id is not null;

CREATE INDEX `api_tokens_revoked` ON `api_tokens` (`revoked_at`) WHERE revoked_at is not null;

CREATE INDEX `api_tokens_user` ON `api_tokens` (`user_id`,`id`);

CREATE TABLE `attachments` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`issue_id` text,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`width` integer,
	`height` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`content` blob NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "attachments_expire_unused" CHECK((issue_id is null) = (expires_at is not null))
);

CREATE INDEX `attachments_by_expiry` ON `attachments` (`expires_at`) WHERE expires_at is not null;

CREATE UNIQUE INDEX `attachments_id` ON `attachments` (`id`);

CREATE INDEX `attachments_of_issue` ON `attachments` (`issue_id`,`ordinal`) WHERE issue_id is not null;

CREATE INDEX `attachments_of_user` ON `attachments` (`user_id`,`bytes`);

CREATE INDEX `attachments_unused` ON `attachments` (`user_id`,`expires_at`) WHERE expires_at is not null;

CREATE TABLE "audit_entries" (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text,
	`actor` text NOT NULL,
	`session_id` text,
	`token_id` text,
	`action` text NOT NULL,
	`subject_id` text,
	`repo_id` text,
	`detail` text NOT NULL,
	`at` integer NOT NULL
);

CREATE INDEX `audit_entries_by_repo` ON `audit_entries` (`repo_id`,`ordinal`) WHERE repo_id is not null;

CREATE INDEX `audit_entries_by_user` ON `audit_entries` (`user_id`,`ordinal`);

CREATE TABLE `audit_seals` (
	`number` integer PRIMARY KEY NOT NULL,
	`previous_number` integer NOT NULL,
	`previous` text,
	`from_ordinal` integer NOT NULL,
	`to_ordinal` integer NOT NULL,
	`entries` integer NOT NULL,
	`total` integer NOT NULL,
	`digest` text NOT NULL,
	`key_id` text NOT NULL,
	`sealed_at` integer NOT NULL,
	`mac` text NOT NULL
);

CREATE UNIQUE INDEX `audit_seals_previous` ON `audit_seals` (`previous_number`);

CREATE TABLE `budgets` (
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`cost_usd` real,
	`tokens` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `subject`)
);

CREATE TABLE `change_requests` (
	`repo_id` text NOT NULL,
	`number` integer NOT NULL,
	`issue_id` text NOT NULL,
	`opened_at` integer NOT NULL,
	`state` text NOT NULL,
	`ready_at` integer,
	`merged_at` integer,
	`closed_at` integer,
	`reverted_at` integer,
	`head_commit` text,
	`people_commits` integer DEFAULT 0 NOT NULL,
	`review_rounds` integer DEFAULT 0 NOT NULL,
	`build_rounds` integer DEFAULT 0 NOT NULL,
	`first_build` text,
	`close_asked_at` integer,
	`close_reason` text,
	`close_note` text,
	`close_answered_by` text,
	`close_answered_at` integer,
	`models` text NOT NULL,
	`prompt_revision` text,
	`at_first_sight` integer,
	`updated_at` integer NOT NULL, `build` text,
	PRIMARY KEY(`repo_id`, `number`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "change_requests_answer_whole" CHECK((close_reason is null) = (close_answered_by is null) and (close_reason is null) = (close_answered_at is null))
);

CREATE INDEX `change_requests_by_issue` ON `change_requests` (`issue_id`);

CREATE INDEX `change_requests_by_opening` ON `change_requests` (`repo_id`,`opened_at`);

CREATE TABLE `checkpoints` (
	`issue_id` text NOT NULL,
	`kind` text NOT NULL,
	`commit` text NOT NULL,
	`object` text NOT NULL,
	`patch` blob NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`issue_id`, `kind`),
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `codehost_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);

CREATE INDEX `codehost_deliveries_at` ON `codehost_deliveries` (`at`);

CREATE TABLE `codehost_flows` (
	`nonce` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);

CREATE INDEX `codehost_flows_end` ON `codehost_flows` (`expires_at`);

CREATE TABLE `codehost_grants` (
	`user_id` text PRIMARY KEY NOT NULL,
	`codehost_token_encrypted` text,
	`codehost_token_nonce` text,
	`expires_at` integer,
	`version` integer NOT NULL,
	`refused` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "codehost_grants_token_whole" CHECK((codehost_token_encrypted is null) = (codehost_token_nonce is null))
);

CREATE TABLE `codehost_inbox` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`codehost_repo_id` text NOT NULL,
	`kind` text NOT NULL,
	`number` integer NOT NULL,
	`mark` integer NOT NULL,
	`marked_at` integer NOT NULL,
	`run_after` integer,
	`owner` text,
	`held_until` integer,
	`failures` integer NOT NULL,
	CONSTRAINT "codehost_inbox_hold_whole" CHECK((owner is null) = (held_until is null)),
	CONSTRAINT "codehost_inbox_held_while_marked" CHECK(owner is null or run_after is not null)
);

CREATE INDEX `codehost_inbox_due` ON `codehost_inbox` (`run_after`,`marked_at`);

CREATE UNIQUE INDEX `codehost_inbox_subject` ON `codehost_inbox` (`codehost_repo_id`,`kind`,`number`);

CREATE TABLE `codehost_polls` (
	`codehost_repo_id` text PRIMARY KEY NOT NULL,
	`cursor` text,
	`due_at` integer NOT NULL
);

CREATE INDEX `codehost_polls_due` ON `codehost_polls` (`due_at`);

CREATE TABLE `codehost_removals` (
	`repo_id` text NOT NULL,
	`origin` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `origin`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `codehost_sites` (
	`id` integer PRIMARY KEY NOT NULL,
	`origin` text NOT NULL,
	`since` integer NOT NULL,
	CONSTRAINT "codehost_sites_one" CHECK(id = 1)
);

CREATE TABLE `command_log` (
	`issue_id` text NOT NULL,
	`seq` integer NOT NULL,
	`command` text NOT NULL,
	`stream` text NOT NULL,
	`text` text NOT NULL,
	`at` integer NOT NULL, `run_seq` integer, `left_out` text,
	PRIMARY KEY(`issue_id`, `seq`),
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `credentials` (
	`user_id` text PRIMARY KEY NOT NULL,
	`password_hash` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `estimates` (
	`issue_id` text NOT NULL,
	`revision` integer NOT NULL,
	`made_at` integer NOT NULL,
	`size` integer NOT NULL,
	`estimate` text NOT NULL,
	`cost_before` real,
	`active_ms_before` integer NOT NULL,
	`ended_at` integer,
	`cost_usd` real,
	`active_ms` integer,
	PRIMARY KEY(`issue_id`, `revision`),
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `estimates_by_end` ON `estimates` (`ended_at`) WHERE ended_at is not null;

CREATE TABLE `events` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`issue_id` text NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`data` text NOT NULL,
	`at` integer NOT NULL, `user_id` text,
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `events_by_user` ON `events` (`user_id`,`ordinal`);

CREATE UNIQUE INDEX `events_seq` ON `events` (`issue_id`,`seq`);

CREATE TABLE `failed_logins` (
	`user_id` text NOT NULL,
	`day` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`user_id`, `day`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `failed_logins_by_day` ON `failed_logins` (`day`);

CREATE TABLE `installation` (
	`id` integer PRIMARY KEY NOT NULL,
	`epoch` text NOT NULL,
	CONSTRAINT "installation_once" CHECK(id = 1)
);

CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`user_id` text NOT NULL,
	`repo_id` text,
	`role` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`used_by` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "invitations_role" CHECK((repo_id is null) = (role is null)),
	CONSTRAINT "invitations_used" CHECK((used_at is null) = (used_by is null))
);

CREATE INDEX `invitations_email` ON `invitations` (`email_key`);

CREATE INDEX `invitations_expired` ON `invitations` (`expires_at`);

CREATE INDEX `invitations_repo` ON `invitations` (`repo_id`,`id`) WHERE repo_id is not null;

CREATE UNIQUE INDEX `invitations_token` ON `invitations` (`token_hash`);

CREATE INDEX `invitations_user` ON `invitations` (`user_id`,`id`);

CREATE TABLE "issues" (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`repo_id` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`origin` text NOT NULL,
	`labels` text NOT NULL,
	`parent_issue_id` text,
	`codehost_number` integer,
	`codehost_url` text,
	`codehost_comment_id` text,
	`change_request_number` integer,
	`change_request_state` text,
	`base_branch` text NOT NULL,
	`status` text NOT NULL,
	`stage` text,
	`pipeline` text NOT NULL,
	`plan_revision` integer,
	`gate` text,
	`gate_expires_at` integer,
	`result` text,
	`error` text,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cost_usd` real,
	`notes_seq` integer DEFAULT 0 NOT NULL,
	`notes_read_seq` integer DEFAULT 0 NOT NULL,
	`active_remote` text,
	`queue_ordinal` integer,
	`slot` integer,
	`lease_owner` text,
	`lease_epoch` integer NOT NULL,
	`lease_expires_at` integer,
	`run_after` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`queued_at` integer,
	`started_at` integer,
	`finished_at` integer,
	`last_seq` integer NOT NULL, `waiting_ordinal` integer, `held_by_budget` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`slot`) REFERENCES `slots`(`number`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "issues_status_known" CHECK(status in ('pending', 'running', 'human_review', 'awaiting_approval', 'completed', 'rejected', 'failed', 'cancelled')),
	CONSTRAINT "issues_slot_while_running" CHECK(status in ('awaiting_approval') or (slot is not null) = (status in ('running', 'human_review'))),
	CONSTRAINT "issues_queue_while_pending" CHECK(queue_ordinal is null or status in ('pending')),
	CONSTRAINT "issues_queued_at_while_queued" CHECK(status not in ('pending') or (queue_ordinal is null) = (queued_at is null)),
	CONSTRAINT "issues_remote_while_active" CHECK((active_remote is not null) = (slot is not null or queue_ordinal is not null or status in ('awaiting_approval'))),
	CONSTRAINT "issues_lease_whole" CHECK((lease_owner is null) = (lease_expires_at is null))
);

CREATE INDEX `issues_by_gate_end` ON `issues` (`gate_expires_at`) WHERE gate_expires_at is not null;

CREATE INDEX `issues_by_repo_end` ON `issues` (`repo_id`,`finished_at`) WHERE finished_at is not null;

CREATE INDEX `issues_by_repo_status` ON `issues` (`repo_id`,`status`,`ordinal`);

CREATE INDEX `issues_by_user_end` ON `issues` (`user_id`,`finished_at`) WHERE finished_at is not null;

CREATE INDEX `issues_by_user_start` ON `issues` (`user_id`,`started_at`);

CREATE INDEX `issues_by_user_status` ON `issues` (`user_id`,`status`,`ordinal`);

CREATE UNIQUE INDEX `issues_id` ON `issues` (`id`);

CREATE UNIQUE INDEX `issues_imported_once` ON `issues` (`repo_id`,`codehost_number`) WHERE codehost_number is not null;

CREATE INDEX `issues_of_change_request` ON `issues` (`repo_id`,`change_request_number`,`ordinal`,`cost_usd`) WHERE change_request_number is not null;

CREATE INDEX `issues_of_parent` ON `issues` (`parent_issue_id`) WHERE parent_issue_id is not null;

CREATE INDEX `issues_of_repo` ON `issues` (`repo_id`,`ordinal`,`user_id`);

CREATE INDEX `issues_of_user` ON `issues` (`user_id`,`ordinal`,`repo_id`);

CREATE UNIQUE INDEX `issues_one_holder_per_remote` ON `issues` (`active_remote`) WHERE active_remote is not null;

CREATE UNIQUE INDEX `issues_one_holder_per_slot` ON `issues` (`slot`) WHERE slot is not null;

CREATE UNIQUE INDEX `issues_one_per_comment` ON `issues` (`repo_id`,`codehost_comment_id`) WHERE codehost_comment_id is not null;

CREATE UNIQUE INDEX `issues_one_per_place` ON `issues` (`queue_ordinal`) WHERE queue_ordinal is not null;

CREATE INDEX `issues_queue_by_user` ON `issues` (`user_id`,`queue_ordinal`) WHERE queue_ordinal is not null;

CREATE INDEX `issues_slots_of_user` ON `issues` (`user_id`,`slot`) WHERE slot is not null;

CREATE INDEX `issues_waiting_for_repo` ON `issues` (`repo_id`,`waiting_ordinal`) WHERE waiting_ordinal is not null;

CREATE TABLE `journal_entries` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`issue_id` text NOT NULL,
	`stage` text NOT NULL,
	`round` integer NOT NULL,
	`entry` text NOT NULL,
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `journal_entries_of_round` ON `journal_entries` (`issue_id`,`stage`,`round`,`ordinal`);

CREATE TABLE `login_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`password_digest` text NOT NULL,
	`session_id` text,
	`to_sign` text,
	`attempts` integer NOT NULL,
	`codes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `login_challenges_created` ON `login_challenges` (`created_at`);

CREATE INDEX `login_challenges_user` ON `login_challenges` (`user_id`,`created_at`);

CREATE TABLE `login_grants` (
	`grant_hash` text PRIMARY KEY NOT NULL,
	`challenge` text NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL, `oidc_issuer` text, `oidc_sid` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `login_grants_end` ON `login_grants` (`expires_at`);

CREATE INDEX `login_grants_user` ON `login_grants` (`user_id`);

CREATE TABLE migrations (name text primary key not null, applied_at integer not null);

CREATE TABLE `notification_deliveries` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`message_id` text NOT NULL,
	`target_id` text NOT NULL,
	`issue_id` text,
	`notification` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`owner` text,
	`held_until` integer,
	`last_status` integer,
	`last_error` text,
	`latency_ms` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`target_id`) REFERENCES `notification_targets`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notification_deliveries_due_while_pending" CHECK((status = 'pending') = (next_attempt_at is not null)),
	CONSTRAINT "notification_deliveries_ended_whole" CHECK((status = 'pending') = (ended_at is null)),
	CONSTRAINT "notification_deliveries_hold_whole" CHECK((owner is null) = (held_until is null)),
	CONSTRAINT "notification_deliveries_held_while_pending" CHECK(owner is null or status = 'pending')
);

CREATE INDEX `notification_deliveries_due` ON `notification_deliveries` (`next_attempt_at`) WHERE next_attempt_at is not null;

CREATE INDEX `notification_deliveries_end` ON `notification_deliveries` (`ended_at`) WHERE ended_at is not null;

CREATE UNIQUE INDEX `notification_deliveries_id` ON `notification_deliveries` (`id`);

CREATE INDEX `notification_deliveries_issue` ON `notification_deliveries` (`issue_id`) WHERE issue_id is not null;

CREATE INDEX `notification_deliveries_line` ON `notification_deliveries` (`target_id`,`issue_id`,`ordinal`) WHERE next_attempt_at is not null;

CREATE INDEX `notification_deliveries_status` ON `notification_deliveries` (`target_id`,`status`,`ordinal`);

CREATE INDEX `notification_deliveries_target` ON `notification_deliveries` (`target_id`,`ordinal`);

CREATE TABLE `notification_secrets` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`target_id` text NOT NULL,
	`encrypted` text NOT NULL,
	`nonce` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`target_id`) REFERENCES `notification_targets`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `notification_secrets_end` ON `notification_secrets` (`expires_at`) WHERE expires_at is not null;

CREATE UNIQUE INDEX `notification_secrets_id` ON `notification_secrets` (`id`);

CREATE INDEX `notification_secrets_target` ON `notification_secrets` (`target_id`,`ordinal`);

CREATE TABLE `notification_targets` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`channel` text NOT NULL,
	`url` text,
	`format` text NOT NULL,
	`events` text NOT NULL,
	`repo_id` text,
	`description` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`failing_since` integer,
	`disabled_at` integer,
	`disabled_reason` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notification_targets_url_of_webhook" CHECK((channel = 'webhook') = (url is not null)),
	CONSTRAINT "notification_targets_disabled_whole" CHECK((disabled_at is null) = (disabled_reason is null))
);

CREATE UNIQUE INDEX `notification_targets_id` ON `notification_targets` (`id`);

CREATE UNIQUE INDEX `notification_targets_one_email` ON `notification_targets` (`user_id`) WHERE channel = 'email';

CREATE INDEX `notification_targets_repo` ON `notification_targets` (`repo_id`) WHERE repo_id is not null;

CREATE INDEX `notification_targets_user` ON `notification_targets` (`user_id`,`ordinal`);

CREATE TABLE `oidc_identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`made_operator` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_sign_in_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE UNIQUE INDEX `oidc_identities_user` ON `oidc_identities` (`user_id`,`issuer`);

CREATE TABLE `oidc_logout_tokens` (
	`issuer` text NOT NULL,
	`token_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `token_id`)
);

CREATE INDEX `oidc_logout_tokens_end` ON `oidc_logout_tokens` (`expires_at`);

CREATE TABLE `patches` (
	`issue_id` text PRIMARY KEY NOT NULL,
	`base_commit` text NOT NULL,
	`head_commit` text,
	`files` text NOT NULL,
	`diff` text NOT NULL,
	`updated_at` integer NOT NULL, `shown` text,
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `plans` (
	`issue_id` text NOT NULL,
	`revision` integer NOT NULL,
	`document` text NOT NULL,
	PRIMARY KEY(`issue_id`, `revision`),
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`code_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE TABLE `repo_members` (
	`repo_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`origin` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `user_id`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `repo_members_user` ON `repo_members` (`user_id`,`repo_id`);

CREATE TABLE `repos` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`canonical_remote` text NOT NULL,
	`default_branch` text NOT NULL,
	`provider` text NOT NULL,
	`codehost_repo_id` text,
	`setup_command` text,
	`test_command` text,
	`instructions` text,
	`settings` text NOT NULL,
	`access_token` text,
	`code_index` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `removed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `repos_by_remote` ON `repos` (`canonical_remote`);

CREATE INDEX `repos_by_user` ON `repos` (`user_id`,`ordinal`);

CREATE UNIQUE INDEX `repos_id` ON `repos` (`id`);

CREATE INDEX `repos_of_codehost_repo` ON `repos` (`codehost_repo_id`,`ordinal`) WHERE codehost_repo_id is not null;

CREATE UNIQUE INDEX `repos_remote_once_per_user` ON `repos` (`user_id`,`canonical_remote`);

CREATE INDEX `repos_removed` ON `repos` (`removed_at`) WHERE removed_at is not null;

CREATE TABLE `request_answers` (
	`user_id` text NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`hash` text NOT NULL,
	`answer` text,
	`owner` text,
	`held_until` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `route`, `key`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "request_answers_held_or_answered" CHECK((owner is null) = (answer is not null)),
	CONSTRAINT "request_answers_hold_whole" CHECK((owner is null) = (held_until is null))
);

CREATE INDEX `request_answers_at` ON `request_answers` (`created_at`);

CREATE TABLE `second_factors` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`credential_id` text,
	`public_key` text,
	`counter` integer,
	`transports` text,
	`secret_encrypted` text,
	`secret_nonce` text,
	`last_step` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "second_factors_passkey_whole" CHECK((kind = 'passkey') = (credential_id is not null and public_key is not null and counter is not null and transports is not null)),
	CONSTRAINT "second_factors_totp_whole" CHECK((kind = 'totp') = (secret_encrypted is not null and secret_nonce is not null and last_step is not null))
);

CREATE UNIQUE INDEX `second_factors_credential` ON `second_factors` (`credential_id`);

CREATE INDEX `second_factors_user` ON `second_factors` (`user_id`);

CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer, `client` text, `last_seen_at` integer, `idle_ends_at` integer, `must_enroll` integer DEFAULT false NOT NULL, `oidc_issuer` text, `oidc_sid` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);

CREATE INDEX `sessions_expired` ON `sessions` (`expires_at`);

CREATE INDEX `sessions_idle` ON `sessions` (`idle_ends_at`) WHERE idle_ends_at is not null;

CREATE INDEX `sessions_oidc` ON `sessions` (`oidc_issuer`,`oidc_sid`) WHERE oidc_sid is not null;

CREATE INDEX `sessions_revoked` ON `sessions` (`revoked_at`) WHERE revoked_at is not null;

CREATE INDEX `sessions_user` ON `sessions` (`user_id`);

CREATE TABLE `slots` (
	`number` integer PRIMARY KEY NOT NULL,
	`retired` integer NOT NULL
);

CREATE TABLE `spending` (
	`month` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cost_usd` real NOT NULL,
	`calls` integer NOT NULL,
	`unpriced_calls` integer NOT NULL,
	`warned` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`month`, `kind`, `subject`)
);

CREATE TABLE `steps` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`issue_id` text NOT NULL,
	`stage` text NOT NULL,
	`round` integer NOT NULL,
	`attempt` integer NOT NULL,
	`agent` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`outcome` text,
	`input_tokens` integer,
	`output_tokens` integer,
	`cost_usd` real,
	`detail` text,
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "steps_end_whole" CHECK((outcome is null) = (finished_at is null))
);

CREATE UNIQUE INDEX `steps_attempt` ON `steps` (`issue_id`,`stage`,`round`,`attempt`);

CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text,
	`email_key` text,
	`name` text,
	`avatar_url` text,
	`codehost_id` text,
	`codehost_login` text,
	`created_at` integer NOT NULL
, `disabled_at` integer, `is_operator` integer DEFAULT false NOT NULL, `preferences` text, `email_verified_at` integer, `deleted_at` integer);

CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);

CREATE UNIQUE INDEX `users_one_per_codehost_id` ON `users` (`codehost_id`) WHERE codehost_id is not null;

CREATE INDEX `users_operators` ON `users` (`is_operator`,`id`);

CREATE TABLE `workers` (
	`id` text PRIMARY KEY NOT NULL,
	`host_name` text NOT NULL,
	`pid` integer NOT NULL,
	`role` text NOT NULL,
	`version` text NOT NULL,
	`concurrency` integer NOT NULL,
	`sandbox` text,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL
);

CREATE INDEX `workers_seen` ON `workers` (`seen_at`);
