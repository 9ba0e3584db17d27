CREATE TABLE `warehouse_weeks` (
	`week` integer NOT NULL,
	`warehouse_id` text NOT NULL,
	`drivers` integer DEFAULT 0 NOT NULL,
	`offers` integer DEFAULT 0 NOT NULL,
	`hours` text NOT NULL,
	`pays` text NOT NULL,
	PRIMARY KEY(`week`, `warehouse_id`)
);
