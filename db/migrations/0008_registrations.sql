CREATE TABLE `pool_code_tries` (
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`network` text NOT NULL,
	`hash` text NOT NULL,
	`tries` integer NOT NULL,
	PRIMARY KEY(`user_id`, `purpose`, `network`)
);
--> statement-breakpoint
CREATE TABLE `pool_registrations` (
	`user_id` text NOT NULL,
	`network` text NOT NULL,
	`password` text NOT NULL,
	`attributes` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `network`)
);
