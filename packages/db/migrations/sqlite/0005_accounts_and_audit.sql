CREATE TABLE `audit_entries` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`actor` text NOT NULL,
	`session_id` text,
	`action` text NOT NULL,
	`subject_id` text,
	`detail` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_user` ON `audit_entries` (`user_id`,`ordinal`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `client` text;--> statement-breakpoint
ALTER TABLE `users` ADD `disabled_at` integer;