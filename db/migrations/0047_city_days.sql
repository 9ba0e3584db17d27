CREATE TABLE `city_days` (
	`day` integer NOT NULL,
	`city` text NOT NULL,
	`time_zone` text NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`is_ours` integer DEFAULT false NOT NULL,
	`shared` text NOT NULL,
	`counted_at` integer NOT NULL,
	`working_ms` integer DEFAULT 0 NOT NULL,
	`slow_ms` integer DEFAULT 0 NOT NULL,
	`down_ms` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`day`, `city`)
);
