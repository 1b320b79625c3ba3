CREATE TABLE `checkpoints` (
	`issue_id` text NOT NULL,
	`kind` text NOT NULL,
	`commit` text NOT NULL,
	`object` text NOT NULL,
	`patch` blob NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`issue_id`, `kind`),
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`id`) ON UPDATE no action ON DELETE cascade
);
