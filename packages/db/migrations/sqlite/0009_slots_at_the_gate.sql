PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_issues` (
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
	`last_seq` integer NOT NULL,
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
--> statement-breakpoint
INSERT INTO `__new_issues`("ordinal", "id", "user_id", "repo_id", "title", "body", "origin", "labels", "parent_issue_id", "codehost_number", "codehost_url", "codehost_comment_id", "change_request_number", "change_request_state", "base_branch", "status", "stage", "pipeline", "plan_revision", "gate", "gate_expires_at", "result", "error", "input_tokens", "output_tokens", "cost_usd", "notes_seq", "notes_read_seq", "active_remote", "queue_ordinal", "slot", "lease_owner", "lease_epoch", "lease_expires_at", "run_after", "created_at", "updated_at", "queued_at", "started_at", "finished_at", "last_seq") SELECT "ordinal", "id", "user_id", "repo_id", "title", "body", "origin", "labels", "parent_issue_id", "codehost_number", "codehost_url", "codehost_comment_id", "change_request_number", "change_request_state", "base_branch", "status", "stage", "pipeline", "plan_revision", "gate", "gate_expires_at", "result", "error", "input_tokens", "output_tokens", "cost_usd", "notes_seq", "notes_read_seq", "active_remote", "queue_ordinal", "slot", "lease_owner", "lease_epoch", "lease_expires_at", "run_after", "created_at", "updated_at", "queued_at", "started_at", "finished_at", "last_seq" FROM `issues`;--> statement-breakpoint
-- The number of a deleted issue is never given again, but the counter goes with the table that is dropped.
UPDATE sqlite_sequence SET seq = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'issues'), 0) WHERE name = '__new_issues';--> statement-breakpoint
DROP TABLE `issues`;--> statement-breakpoint
ALTER TABLE `__new_issues` RENAME TO `issues`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `issues_id` ON `issues` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `issues_one_active_per_remote` ON `issues` (`active_remote`);--> statement-breakpoint
CREATE UNIQUE INDEX `issues_one_per_slot` ON `issues` (`slot`);--> statement-breakpoint
CREATE UNIQUE INDEX `issues_queue` ON `issues` (`queue_ordinal`);--> statement-breakpoint
CREATE INDEX `issues_queue_by_user` ON `issues` (`user_id`,`queue_ordinal`) WHERE queue_ordinal is not null;--> statement-breakpoint
CREATE INDEX `issues_slots_by_user` ON `issues` (`user_id`) WHERE slot is not null;--> statement-breakpoint
CREATE INDEX `issues_by_user_start` ON `issues` (`user_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `issues_by_gate_expiry` ON `issues` (`gate_expires_at`);--> statement-breakpoint
CREATE INDEX `issues_by_user` ON `issues` (`user_id`,`ordinal`);--> statement-breakpoint
CREATE INDEX `issues_by_repo` ON `issues` (`repo_id`,`ordinal`);--> statement-breakpoint
CREATE INDEX `issues_by_parent` ON `issues` (`parent_issue_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `issues_codehost_number_once` ON `issues` (`repo_id`,`codehost_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `issues_codehost_comment_once` ON `issues` (`repo_id`,`codehost_comment_id`);--> statement-breakpoint
CREATE INDEX `issues_by_change_request` ON `issues` (`repo_id`,`change_request_number`,`ordinal`);