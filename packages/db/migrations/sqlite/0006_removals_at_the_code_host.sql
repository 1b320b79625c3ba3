CREATE TABLE `codehost_removals` (
	`repo_id` text NOT NULL,
	`origin` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `origin`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
