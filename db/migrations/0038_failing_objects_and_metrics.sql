CREATE TABLE `metric_hours` (
	`hour` integer NOT NULL,
	`city` text NOT NULL,
	`looked_seconds` integer DEFAULT 0 NOT NULL,
	`offers` integer DEFAULT 0 NOT NULL,
	`matches` integer DEFAULT 0 NOT NULL,
	`captures` integer DEFAULT 0 NOT NULL,
	`losses` integer DEFAULT 0 NOT NULL,
	`answered` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`soft_blocks` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`hour`, `city`)
);
--> statement-breakpoint
ALTER TABLE `heartbeats` ADD `failure` text;