CREATE TABLE `driver_objects` (
	`driver_id` text NOT NULL,
	`object_name` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`driver_id`, `object_name`)
);
--> statement-breakpoint
INSERT OR IGNORE INTO `driver_objects` (`driver_id`, `object_name`, `since`) SELECT `driver_id`, `object_name`, `linked_at` FROM `platform_accounts`;
--> statement-breakpoint
INSERT OR IGNORE INTO `driver_objects` (`driver_id`, `object_name`, `since`) SELECT `driver_id`, `object_name`, `due_at` FROM `heartbeats`;
