import { expect, it } from "vitest";
import { gapMessages } from "../../../web/features/filters/gap-messages.ts";

const NO_WAREHOUSE = "Select at least one warehouse.";
const NO_DAY = "Turn on at least one day in your schedule.";
const NO_LENGTH = "Choose at least one block length.";
const UNKNOWN = "The warehouses you selected are no longer in your account. Select another one.";

it.each<[string[], ...string[]]>([
  [["warehouses"], NO_WAREHOUSE],
  [[], NO_WAREHOUSE],
  [["warehouses", "schedule"], NO_WAREHOUSE, NO_DAY],
  [["schedule", "warehouses.0.durations"], NO_DAY, NO_LENGTH],
  [["warehouses.0.durations", "warehouses.1.warehouseId"], NO_LENGTH, UNKNOWN],
])("names what is missing of %j", (fields, ...messages) => {
  expect(gapMessages(Object.fromEntries(fields.map((field) => [field, true])))).toBe(messages.join(" "));
});
