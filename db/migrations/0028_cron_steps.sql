CREATE TABLE `cron_steps` (
	`name` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`succeeded_at` integer,
	`failure` text,
	`overdue_at` integer NOT NULL
);
