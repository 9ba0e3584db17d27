CREATE TABLE `lost_days` (
	`driver_id` text NOT NULL,
	`date` text NOT NULL,
	`lost_ms` integer NOT NULL,
	`given_ms` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`driver_id`, `date`)
);
--> statement-breakpoint
CREATE INDEX `lost_days_at` ON `lost_days` (`at`);--> statement-breakpoint
DROP TRIGGER `service_credits_booked`;--> statement-breakpoint
CREATE TRIGGER `service_credits_booked` AFTER INSERT ON `service_credits` BEGIN
	INSERT INTO `journal` (`entry`, `account`, `unit`, `amount`, `payment_id`, `day`, `at`)
	SELECT coalesce((SELECT `p`.`id` || ':' || `p`.`revision` || ':' FROM `payments` `p` WHERE `p`.`id` = `e`.`payment_id`), 'time:') || new.`source`,
		`l`.`value` ->> 'account', 'ms', (`l`.`value` ->> 'sign') * new.`duration_ms`, `e`.`payment_id`,
		max(new.`at` / 86400000, coalesce((SELECT max(`day`) + 1 FROM `journal_days`), 0)), new.`at`
	FROM (SELECT CASE WHEN new.`source` LIKE 'payment:%' THEN substr(new.`source`, 9, instr(substr(new.`source`, 9) || ':', ':') - 1) END AS `payment_id`) `e`,
		json_each(json_array(
			json_object('sign', -1, 'account', 'time_owed'),
			json_object('sign', 1, 'account', CASE
				WHEN new.`source` LIKE '%:waited:%' OR new.`source` LIKE '%:outage:%' THEN 'goodwill'
				WHEN new.`source` LIKE 'payment:%' THEN 'time_given'
				WHEN new.`source` LIKE 'invitation:%' OR new.`source` LIKE 'reward:%' OR new.`source` LIKE 'trial:%' THEN 'rewards'
				ELSE 'goodwill' END ))) `l`
	WHERE new.`duration_ms` <> 0
	ON CONFLICT DO NOTHING;
END;
