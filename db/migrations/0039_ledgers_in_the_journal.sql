CREATE TABLE `driver_devices` (
	`driver_id` text NOT NULL,
	`device_hash` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`driver_id`, `device_hash`)
);
--> statement-breakpoint
CREATE INDEX `driver_devices_hash` ON `driver_devices` (`device_hash`);--> statement-breakpoint
ALTER TABLE `payment_refunds` ADD `is_goodwill` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE TRIGGER `service_credits_booked` AFTER INSERT ON `service_credits` BEGIN
	INSERT INTO `journal` (`entry`, `account`, `unit`, `amount`, `payment_id`, `day`, `at`)
	SELECT coalesce((SELECT `p`.`id` || ':' || `p`.`revision` || ':' FROM `payments` `p` WHERE `p`.`id` = `e`.`payment_id`), 'time:') || new.`source`,
		`l`.`value` ->> 'account', 'ms', (`l`.`value` ->> 'sign') * new.`duration_ms`, `e`.`payment_id`,
		max(new.`at` / 86400000, coalesce((SELECT max(`day`) + 1 FROM `journal_days`), 0)), new.`at`
	FROM (SELECT CASE WHEN new.`source` LIKE 'payment:%' THEN substr(new.`source`, 9, instr(substr(new.`source`, 9) || ':', ':') - 1) END AS `payment_id`) `e`,
		json_each(json_array(
			json_object('sign', -1, 'account', 'time_owed'),
			json_object('sign', 1, 'account', CASE
				WHEN new.`source` LIKE '%:waited:%' THEN 'goodwill'
				WHEN new.`source` LIKE 'payment:%' THEN 'time_given'
				WHEN new.`source` LIKE 'invitation:%' OR new.`source` LIKE 'reward:%' OR new.`source` LIKE 'trial:%' THEN 'rewards'
				ELSE 'goodwill' END ))) `l`
	WHERE new.`duration_ms` <> 0
	ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `point_entries_booked` AFTER INSERT ON `point_entries` BEGIN
	INSERT INTO `journal` (`entry`, `account`, `unit`, `amount`, `payment_id`, `day`, `at`)
	SELECT 'points:' || new.`source`, `l`.`value` ->> 'account', 'points', (`l`.`value` ->> 'sign') * new.`points`,
		CASE WHEN new.`source` LIKE 'payment:%' THEN substr(new.`source`, 9, instr(substr(new.`source`, 9) || ':', ':') - 1) END,
		max(new.`at` / 86400000, coalesce((SELECT max(`day`) + 1 FROM `journal_days`), 0)), new.`at`
	FROM json_each(json_array(
		json_object('sign', -1, 'account', 'points_owed'),
		json_object('sign', 1, 'account', CASE
			WHEN new.`source` LIKE 'payment:%' THEN 'points_given'
			WHEN new.`source` LIKE 'reward:%' THEN 'rewards'
			ELSE 'goodwill' END ))) `l`
	WHERE new.`points` <> 0
	ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
INSERT INTO `journal` (`entry`, `account`, `unit`, `amount`, `day`, `at`)
SELECT 'opening:time', `l`.`value` ->> 'account', 'ms', (`l`.`value` ->> 'sign') * `e`.`amount`,
	max(unixepoch() / 86400, coalesce((SELECT max(`day`) + 1 FROM `journal_days`), 0)), unixepoch() * 1000
FROM (SELECT coalesce((SELECT sum(`duration_ms`) FROM `service_credits`), 0) + coalesce((SELECT sum(`amount`) FROM `journal` WHERE `account` = 'time_owed'), 0) AS `amount`) `e`,
	json_each('[{"sign":-1,"account":"time_owed"},{"sign":1,"account":"time_given"}]') `l`
WHERE `e`.`amount` <> 0;--> statement-breakpoint
INSERT INTO `journal` (`entry`, `account`, `unit`, `amount`, `day`, `at`)
SELECT 'opening:points', `l`.`value` ->> 'account', 'points', (`l`.`value` ->> 'sign') * `e`.`amount`,
	max(unixepoch() / 86400, coalesce((SELECT max(`day`) + 1 FROM `journal_days`), 0)), unixepoch() * 1000
FROM (SELECT coalesce((SELECT sum(`points`) FROM `point_entries`), 0) + coalesce((SELECT sum(`amount`) FROM `journal` WHERE `account` = 'points_owed'), 0) AS `amount`) `e`,
	json_each('[{"sign":-1,"account":"points_owed"},{"sign":1,"account":"points_given"}]') `l`
WHERE `e`.`amount` <> 0;
