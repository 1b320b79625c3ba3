CREATE TABLE `oidc_identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`made_operator` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_sign_in_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oidc_identities_user` ON `oidc_identities` (`user_id`,`issuer`);--> statement-breakpoint
CREATE TABLE `oidc_logout_tokens` (
	`issuer` text NOT NULL,
	`token_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `token_id`)
);
--> statement-breakpoint
CREATE INDEX `oidc_logout_tokens_end` ON `oidc_logout_tokens` (`expires_at`);--> statement-breakpoint
ALTER TABLE `login_grants` ADD `oidc_issuer` text;--> statement-breakpoint
ALTER TABLE `login_grants` ADD `oidc_sid` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `oidc_issuer` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `oidc_sid` text;--> statement-breakpoint
CREATE INDEX `sessions_oidc` ON `sessions` (`oidc_issuer`,`oidc_sid`) WHERE oidc_sid is not null;