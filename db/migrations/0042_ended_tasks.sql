CREATE TABLE `ended_tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`is_dead` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ended_tasks_at` ON `ended_tasks` (`is_dead`,`at`);