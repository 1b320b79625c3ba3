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
--> statement-breakpoint
CREATE INDEX `repo_members_user` ON `repo_members` (`user_id`,`repo_id`);--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `repo_id` text;--> statement-breakpoint
CREATE INDEX `audit_entries_by_repo` ON `audit_entries` (`repo_id`,`ordinal`) WHERE repo_id is not null;