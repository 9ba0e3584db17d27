CREATE TABLE `pool_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`phone_number` text NOT NULL,
	`language` text NOT NULL,
	`changed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`told_at` integer,
	`token_hash` text
);
--> statement-breakpoint
CREATE INDEX `pool_notices_user` ON `pool_notices` (`user_id`);--> statement-breakpoint
CREATE INDEX `pool_notices_expires` ON `pool_notices` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `pool_notices_token` ON `pool_notices` (`token_hash`);