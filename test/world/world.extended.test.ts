import { it } from "vitest";
import { RUN_SEED } from "../support/run-seed.ts";
import { liveThrough, type Soak } from "./soak-process.ts";

it.each<[string, Soak]>([
  ["thirty driver-weeks", { kind: "week", weeks: 30, from: RUN_SEED + 5 }],
  ["a week of twenty thousand polls and more", { kind: "long", weeks: 1 }],
  ["an evening of a fleet", { kind: "fleet", weeks: 1 }],
])("keeps every invariant through %s, others for each commit", async (_, soak) => {
  await liveThrough(soak);
});

it("makes as many polls in a week in which two lost answers to one refresh end the link", async () => {
  await liveThrough({ kind: "long", weeks: 1, from: 10 });
});

it("takes the ledger of a deleted account for all that is left of a day that came back", async () => {
  await liveThrough({ kind: "week", weeks: 1, from: 7_400_757 });
});
