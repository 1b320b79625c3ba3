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
--> statement-breakpoint
CREATE INDEX `estimates_by_end` ON `estimates` (`ended_at`) WHERE ended_at is not null;