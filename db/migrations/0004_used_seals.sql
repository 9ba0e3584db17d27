CREATE TABLE `used_seals` (
	`digest` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_seals_expires_at` ON `used_seals` (`expires_at`);