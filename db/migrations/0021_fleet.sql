CREATE TABLE `driver_states` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`reported_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `driver_states_state` ON `driver_states` (`state`,`since`);--> statement-breakpoint
CREATE TABLE `fleet_hours` (
	`hour` integer NOT NULL,
	`shard` integer NOT NULL,
	`captures` integer DEFAULT 0 NOT NULL,
	`losses` integer DEFAULT 0 NOT NULL,
	`answered` integer DEFAULT 0 NOT NULL,
	`unauthorized` integer DEFAULT 0 NOT NULL,
	`forbidden` integer DEFAULT 0 NOT NULL,
	`limited` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`timed_out` integer DEFAULT 0 NOT NULL,
	`unreadable` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`late_50` integer DEFAULT 0 NOT NULL,
	`late_100` integer DEFAULT 0 NOT NULL,
	`late_250` integer DEFAULT 0 NOT NULL,
	`late_500` integer DEFAULT 0 NOT NULL,
	`late_1000` integer DEFAULT 0 NOT NULL,
	`late_2500` integer DEFAULT 0 NOT NULL,
	`late_10000` integer DEFAULT 0 NOT NULL,
	`late_more` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`hour`, `shard`)
);
