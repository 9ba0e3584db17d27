CREATE TABLE `announcement_retries` (
	`announcement_id` text NOT NULL,
	`driver_id` text NOT NULL,
	`pending` integer NOT NULL,
	`tries` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`announcement_id`, `driver_id`)
);
--> statement-breakpoint
CREATE INDEX `announcement_retries_due_at` ON `announcement_retries` (`due_at`);--> statement-breakpoint
CREATE INDEX `announcement_retries_driver` ON `announcement_retries` (`driver_id`);--> statement-breakpoint
ALTER TABLE `announcements` ADD `pushes_sent` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `announcements` ADD `pushes_failed` integer DEFAULT 0 NOT NULL;