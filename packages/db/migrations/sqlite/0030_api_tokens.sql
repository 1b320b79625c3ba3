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
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hash` ON `api_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `api_tokens_user` ON `api_tokens` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `api_tokens_repo` ON `api_tokens` (`repo_id`,`id`) WHERE repo_id is not null;--> statement-breakpoint
CREATE INDEX `api_tokens_expired` ON `api_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `api_tokens_revoked` ON `api_tokens` (`revoked_at`) WHERE revoked_at is not null;--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `token_id` text;