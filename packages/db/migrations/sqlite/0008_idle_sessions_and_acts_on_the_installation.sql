PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_audit_entries` (
	`ordinal` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text,
	`actor` text NOT NULL,
	`session_id` text,
	`action` text NOT NULL,
	`subject_id` text,
	`detail` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_audit_entries`("ordinal", "user_id", "actor", "session_id", "action", "subject_id", "detail", "at") SELECT "ordinal", "user_id", "actor", "session_id", "action", "subject_id", "detail", "at" FROM `audit_entries`;--> statement-breakpoint
DROP TABLE `audit_entries`;--> statement-breakpoint
ALTER TABLE `__new_audit_entries` RENAME TO `audit_entries`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `audit_entries_by_user` ON `audit_entries` (`user_id`,`ordinal`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_seen_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `idle_ends_at` integer;