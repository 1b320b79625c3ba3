CREATE TABLE `codehost_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `codehost_deliveries_at` ON `codehost_deliveries` (`at`);--> statement-breakpoint
CREATE TABLE `codehost_flows` (
	`nonce` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `codehost_flows_end` ON `codehost_flows` (`expires_at`);--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `codehost_inbox_subject` ON `codehost_inbox` (`codehost_repo_id`,`kind`,`number`);--> statement-breakpoint
CREATE INDEX `codehost_inbox_due` ON `codehost_inbox` (`run_after`,`marked_at`);--> statement-breakpoint
CREATE TABLE `codehost_polls` (
	`codehost_repo_id` text PRIMARY KEY NOT NULL,
	`cursor` text,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `codehost_polls_due` ON `codehost_polls` (`due_at`);--> statement-breakpoint
CREATE TABLE `login_grants` (
	`grant_hash` text PRIMARY KEY NOT NULL,
	`challenge` text NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `login_grants_end` ON `login_grants` (`expires_at`);--> statement-breakpoint
CREATE INDEX `login_grants_user` ON `login_grants` (`user_id`);--> statement-breakpoint
ALTER TABLE `issues` ADD `codehost_comment_id` text;--> statement-breakpoint
ALTER TABLE `issues` ADD `change_request_number` integer;--> statement-breakpoint
ALTER TABLE `issues` ADD `change_request_state` text;--> statement-breakpoint
CREATE UNIQUE INDEX `issues_codehost_number_once` ON `issues` (`repo_id`,`codehost_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `issues_codehost_comment_once` ON `issues` (`repo_id`,`codehost_comment_id`);--> statement-breakpoint
CREATE INDEX `issues_by_change_request` ON `issues` (`repo_id`,`change_request_number`,`ordinal`);--> statement-breakpoint
CREATE INDEX `repos_by_codehost_repo` ON `repos` (`codehost_repo_id`,`ordinal`);