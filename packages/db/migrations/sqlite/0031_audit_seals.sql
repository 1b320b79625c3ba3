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
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_seals_previous` ON `audit_seals` (`previous_number`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_audit_entries` (
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
--> statement-breakpoint
INSERT INTO `__new_audit_entries`("ordinal", "user_id", "actor", "session_id", "token_id", "action", "subject_id", "repo_id", "detail", "at") SELECT "ordinal", "user_id", "actor", "session_id", "token_id", "action", "subject_id", "repo_id", "detail", "at" FROM `audit_entries`;--> statement-breakpoint
DROP TABLE `audit_entries`;--> statement-breakpoint
ALTER TABLE `__new_audit_entries` RENAME TO `audit_entries`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `audit_entries_by_user` ON `audit_entries` (`user_id`,`ordinal`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_repo` ON `audit_entries` (`repo_id`,`ordinal`) WHERE repo_id is not null;