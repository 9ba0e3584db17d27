CREATE TABLE `master_key_uses` (
	`key_id` text NOT NULL,
	`what` text NOT NULL,
	`uses` integer NOT NULL,
	`counted_at` integer NOT NULL,
	PRIMARY KEY(`key_id`, `what`)
);
--> statement-breakpoint
CREATE TABLE `object_seals` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`checked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `service_alerts` (
	`name` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `text_counts` (
	`key` text PRIMARY KEY NOT NULL,
	`sent` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `text_counts_ends_at` ON `text_counts` (`ends_at`);--> statement-breakpoint
ALTER TABLE `pool_sessions` ADD `key_id` text;--> statement-breakpoint
ALTER TABLE `pool_signing_keys` ADD `signs_from` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `pool_signing_keys` ADD `rotates_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `pool_signing_keys` ADD `revoked_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `preferred_phone_verified` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `pool_signing_keys` SET `signs_from` = `created_at`, `rotates_at` = `created_at` + 7776000000;--> statement-breakpoint
UPDATE `users` SET `revision` = `revision` + 1 WHERE `preferred_phone_number` IS NOT NULL;
