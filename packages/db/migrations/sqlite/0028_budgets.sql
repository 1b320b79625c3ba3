CREATE TABLE `budgets` (
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`cost_usd` real,
	`tokens` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `subject`)
);
--> statement-breakpoint
CREATE TABLE `spending` (
	`month` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cost_usd` real NOT NULL,
	`calls` integer NOT NULL,
	`unpriced_calls` integer NOT NULL,
	`warned` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`month`, `kind`, `subject`)
);
--> statement-breakpoint
ALTER TABLE `issues` ADD `held_by_budget` text;