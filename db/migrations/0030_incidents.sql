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
