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
--> statement-breakpoint
CREATE UNIQUE INDEX `notification_deliveries_id` ON `notification_deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `notification_deliveries_due` ON `notification_deliveries` (`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `notification_deliveries_line` ON `notification_deliveries` (`target_id`,`issue_id`,`ordinal`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `notification_deliveries_target` ON `notification_deliveries` (`target_id`,`ordinal`);--> statement-breakpoint
CREATE INDEX `notification_deliveries_status` ON `notification_deliveries` (`target_id`,`status`,`ordinal`);--> statement-breakpoint
CREATE INDEX `notification_deliveries_issue` ON `notification_deliveries` (`issue_id`) WHERE issue_id is not null;--> statement-breakpoint
CREATE INDEX `notification_deliveries_end` ON `notification_deliveries` (`ended_at`) WHERE ended_at is not null;--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `notification_secrets_id` ON `notification_secrets` (`id`);--> statement-breakpoint
CREATE INDEX `notification_secrets_target` ON `notification_secrets` (`target_id`,`ordinal`);--> statement-breakpoint
CREATE INDEX `notification_secrets_end` ON `notification_secrets` (`expires_at`) WHERE expires_at is not null;--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `notification_targets_id` ON `notification_targets` (`id`);--> statement-breakpoint
CREATE INDEX `notification_targets_user` ON `notification_targets` (`user_id`,`ordinal`);--> statement-breakpoint
CREATE INDEX `notification_targets_repo` ON `notification_targets` (`repo_id`) WHERE repo_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `notification_targets_one_email` ON `notification_targets` (`user_id`) WHERE channel = 'email';