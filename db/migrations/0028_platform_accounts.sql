CREATE TABLE `platform_accounts` (
	`account_id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`object_name` text NOT NULL,
	`linked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `platform_accounts_driver` ON `platform_accounts` (`driver_id`);