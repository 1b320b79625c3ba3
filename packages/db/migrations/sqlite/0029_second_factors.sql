CREATE TABLE `login_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`password_digest` text NOT NULL,
	`session_id` text,
	`to_sign` text,
	`attempts` integer NOT NULL,
	`codes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `login_challenges_user` ON `login_challenges` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `login_challenges_created` ON `login_challenges` (`created_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`code_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`credential_id` text,
	`public_key` text,
	`counter` integer,
	`transports` text,
	`secret_encrypted` text,
	`secret_nonce` text,
	`last_step` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "second_factors_passkey_whole" CHECK((kind = 'passkey') = (credential_id is not null and public_key is not null and counter is not null and transports is not null)),
	CONSTRAINT "second_factors_totp_whole" CHECK((kind = 'totp') = (secret_encrypted is not null and secret_nonce is not null and last_step is not null))
);
--> statement-breakpoint
CREATE INDEX `second_factors_user` ON `second_factors` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `second_factors_credential` ON `second_factors` (`credential_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `must_enroll` integer DEFAULT false NOT NULL;