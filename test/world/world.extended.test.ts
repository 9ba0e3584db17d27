import { it } from "vitest";
import { liveThrough, type Soak } from "./soak-process.ts";

it.each<[string, Soak]>([
  ["thirty driver-weeks", { kind: "week", weeks: 30, later: 5 }],
  ["a week of twenty thousand polls and more", { kind: "long", weeks: 1 }],
  ["an evening of a fleet", { kind: "fleet", weeks: 1 }],
])("keeps every invariant through %s, others for each commit", async (_, soak) => {
  await liveThrough(soak);
});
