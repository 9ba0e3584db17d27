CREATE TABLE `payment_disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`status` text NOT NULL,
	`reason` text NOT NULL,
	`cents` integer NOT NULL,
	`fee_cents` integer NOT NULL,
	`due_at` integer,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_disputes_payment` ON `payment_disputes` (`payment_id`);--> statement-breakpoint
CREATE INDEX `payment_disputes_open` ON `payment_disputes` (`due_at`) WHERE status IN ('warning_needs_response', 'needs_response', 'warning_under_review', 'under_review');--> statement-breakpoint
CREATE INDEX `payment_disputes_at` ON `payment_disputes` (`at`);--> statement-breakpoint
CREATE TABLE `service_ends` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`ends_at` integer NOT NULL,
	`changed_ms` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `service_ends_ends_at` ON `service_ends` (`ends_at`);--> statement-breakpoint
CREATE TABLE `driver_name_words` (
	`word` text NOT NULL,
	`driver_id` text NOT NULL,
	PRIMARY KEY(`word`, `driver_id`)
);
--> statement-breakpoint
CREATE INDEX `driver_name_words_driver` ON `driver_name_words` (`driver_id`,`word`);--> statement-breakpoint
DROP INDEX `users_name`;--> statement-breakpoint
ALTER TABLE `payments` ADD `processor_fee_cents` integer;--> statement-breakpoint
CREATE INDEX `payments_settled_at` ON `payments` (`settled_at`);--> statement-breakpoint
CREATE INDEX `payment_refunds_at` ON `payment_refunds` (`at`);--> statement-breakpoint
CREATE INDEX `point_entries_at` ON `point_entries` (`at`);--> statement-breakpoint
INSERT INTO `service_ends` (`driver_id`, `ends_at`, `changed_ms`, `at`)
SELECT `driver_id`, `at` + max(`duration_ms`, 0), `duration_ms`, `at` FROM `service_credits` WHERE true ORDER BY `at`, `rowid`
ON CONFLICT (`driver_id`) DO UPDATE SET `ends_at` = CASE
		WHEN excluded.`changed_ms` >= 0 THEN max(`ends_at`, excluded.`at`) + excluded.`changed_ms`
		WHEN `ends_at` > excluded.`at` THEN max(`ends_at` + excluded.`changed_ms`, excluded.`at`)
		ELSE `ends_at` END,
	`changed_ms` = excluded.`changed_ms`, `at` = excluded.`at`;--> statement-breakpoint
CREATE TRIGGER `service_credits_end` AFTER INSERT ON `service_credits` BEGIN
	INSERT INTO `service_ends` (`driver_id`, `ends_at`, `changed_ms`, `at`)
	VALUES (new.`driver_id`, new.`at` + max(new.`duration_ms`, 0), new.`duration_ms`, new.`at`)
	ON CONFLICT (`driver_id`) DO UPDATE SET `ends_at` = CASE
		WHEN excluded.`changed_ms` >= 0 THEN max(`ends_at`, excluded.`at`) + excluded.`changed_ms`
		WHEN `ends_at` > excluded.`at` THEN max(`ends_at` + excluded.`changed_ms`, excluded.`at`)
		ELSE `ends_at` END,
		`changed_ms` = excluded.`changed_ms`, `at` = excluded.`at`;
END;--> statement-breakpoint
INSERT OR IGNORE INTO `driver_name_words` (`word`, `driver_id`)
WITH RECURSIVE plain(id, rest) AS (
	SELECT id, trim(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower(name),'á','a'),'à','a'),'â','a'),'ã','a'),'ä','a'),'å','a'),'é','e'),'è','e'),'ê','e'),'ë','e'),'í','i'),'ì','i'),'î','i'),'ï','i'),'ó','o'),'ò','o'),'ô','o'),'õ','o'),'ö','o'),'ú','u'),'ù','u'),'û','u'),'ü','u'),'ç','c'),'ñ','n'),'ý','y'),'Á','a'),'À','a'),'Â','a'),'Ã','a'),'Ä','a'),'Å','a'),'É','e'),'È','e'),'Ê','e'),'Ë','e'),'Í','i'),'Ì','i'),'Î','i'),'Ï','i'),'Ó','o'),'Ò','o'),'Ô','o'),'Õ','o'),'Ö','o'),'Ú','u'),'Ù','u'),'Û','u'),'Ü','u'),'Ç','c'),'Ñ','n'),'Ý','y'),'-',' '),'.',' '),',',' '),'''',' '),'’',' '),'_',' '),'/',' '),'(',' '),')',' ')) || ' ' FROM users
), words(id, word, rest) AS (
	SELECT id, '', rest FROM plain
	UNION ALL
	SELECT id, substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1) FROM words WHERE instr(rest, ' ') > 0
)
SELECT substr(word, 1, 40), id FROM words WHERE word <> '';
