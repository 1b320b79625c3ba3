ALTER TABLE `events` ADD `user_id` text;--> statement-breakpoint
UPDATE `events` SET `user_id` = (SELECT `user_id` FROM `issues` WHERE `issues`.`id` = `events`.`issue_id`);
