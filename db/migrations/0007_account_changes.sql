CREATE TABLE `account_changes` (
	`user_id` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`is_deleted` integer NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_changes_changed_at` ON `account_changes` (`changed_at`);--> statement-breakpoint
INSERT INTO `account_changes` (`user_id`, `revision`, `is_deleted`, `changed_at`) SELECT `users`.`id`, 1, 0, 0 FROM `users` JOIN `pool_users` ON `pool_users`.`id` = `users`.`id` WHERE `pool_users`.`phone_number` <> `users`.`phone_number`;
