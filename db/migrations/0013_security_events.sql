CREATE TABLE `security_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`event` text NOT NULL,
	`hour` integer NOT NULL,
	`network` text NOT NULL,
	`browser` text,
	`system` text,
	`country` text,
	`times` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `security_events_hour` ON `security_events` (`user_id`,`hour`,`event`,`network`);--> statement-breakpoint
CREATE INDEX `security_events_last_at` ON `security_events` (`user_id`,`last_at`);--> statement-breakpoint
CREATE INDEX `security_events_age` ON `security_events` (`last_at`);