CREATE TABLE `request_answers` (
	`user_id` text NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`hash` text NOT NULL,
	`answer` text,
	`owner` text,
	`held_until` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `route`, `key`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "request_answers_held_or_answered" CHECK((owner is null) = (answer is not null)),
	CONSTRAINT "request_answers_hold_whole" CHECK((owner is null) = (held_until is null))
);
