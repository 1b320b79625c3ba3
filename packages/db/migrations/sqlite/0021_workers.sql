CREATE TABLE `workers` (
	`id` text PRIMARY KEY NOT NULL,
	`host_name` text NOT NULL,
	`pid` integer NOT NULL,
	`role` text NOT NULL,
	`version` text NOT NULL,
	`concurrency` integer NOT NULL,
	`sandbox` text,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `workers_seen` ON `workers` (`seen_at`);