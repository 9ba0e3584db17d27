import { it } from "vitest";
import { liveThrough } from "./soak-process.ts";

it("keeps every invariant through five driver-weeks and a day of thousands of polls, others for each commit", async () => {
  await liveThrough({ kind: "week", weeks: 5 });
  await liveThrough({ kind: "day", weeks: 1 });
});

it("takes a capture for shown that the page heard of before any answer had the block's id", async () => {
  await liveThrough({ kind: "week", weeks: 1, from: 4016 });
});

it("keeps from the log what a list brings after the switch is off, so that a replay takes none of it", async () => {
  await liveThrough({ kind: "week", weeks: 1, from: 1_353_689_198 });
});
