CREATE TABLE `driver_news` (
	`source` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`until` integer,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `driver_news_at` ON `driver_news` (`at`);--> statement-breakpoint
CREATE INDEX `driver_news_driver` ON `driver_news` (`driver_id`);--> statement-breakpoint
CREATE TABLE `raffle_tickets` (
	`promotion_id` text NOT NULL,
	`entry` text NOT NULL,
	`holder` text NOT NULL,
	`rank` integer,
	PRIMARY KEY(`promotion_id`, `entry`)
);
--> statement-breakpoint
CREATE TABLE `city_spots` (
	`city` text PRIMARY KEY NOT NULL,
	`spots` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `spots` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`city` text NOT NULL,
	`status` text NOT NULL,
	`since` integer NOT NULL,
	`joined_place` integer,
	`offer_ends_at` integer,
	`check_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spots_city` ON `spots` (`city`,`status`,`since`,`driver_id`);--> statement-breakpoint
CREATE INDEX `spots_offer` ON `spots` (`status`,`offer_ends_at`);--> statement-breakpoint
CREATE INDEX `spots_check` ON `spots` (`status`,`check_at`);--> statement-breakpoint
ALTER TABLE `promotions` ADD `sealed_seed` text;--> statement-breakpoint
ALTER TABLE `promotions` ADD `prize` text;--> statement-breakpoint
ALTER TABLE `promotions` ADD `closed_at` integer;
--> statement-breakpoint
INSERT INTO spots (driver_id, city, status, since, check_at)
	SELECT id, coalesce(nullif(trim(human_region), ''), 'other'), CASE waiting_for_spot WHEN 1 THEN 'waiting' ELSE 'held' END, created_at, 0
	FROM users WHERE proxy_installed = 1 OR waiting_for_spot = 1;
