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
--> statement-breakpoint
CREATE UNIQUE INDEX `attachments_id` ON `attachments` (`id`);--> statement-breakpoint
CREATE INDEX `attachments_of_issue` ON `attachments` (`issue_id`,`ordinal`) WHERE issue_id is not null;--> statement-breakpoint
CREATE INDEX `attachments_of_user` ON `attachments` (`user_id`,`bytes`);--> statement-breakpoint
CREATE INDEX `attachments_unused` ON `attachments` (`user_id`,`expires_at`) WHERE expires_at is not null;--> statement-breakpoint
CREATE INDEX `attachments_by_expiry` ON `attachments` (`expires_at`) WHERE expires_at is not null;