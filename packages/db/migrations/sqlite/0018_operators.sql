ALTER TABLE `users` ADD `is_operator` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `users_operators` ON `users` (`is_operator`,`id`);--> statement-breakpoint
UPDATE `users` SET `is_operator` = true WHERE `id` = (SELECT min(`id`) FROM `users`);
