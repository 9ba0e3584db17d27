CREATE TABLE `cron_steps` (
	`name` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`succeeded_at` integer,
	`failure` text,
	`overdue_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `incidents` (
	`name` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`reason` text NOT NULL,
	`begun_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`ended_at` integer,
	`begin_told_at` integer,
	`end_told_at` integer,
	`due_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `heartbeats` ADD `woken_at` integer;