import { expect, it } from "vitest";
import { formatStay } from "../../../web/features/hours/hour-labels.ts";

it("gives how long offers stayed in seconds up to ninety, and in whole minutes above", () => {
  const stays = [0, 39_100, 90_000, 90_001, 300_000].map((ms) => formatStay(ms).replaceAll(/\s/gu, " "));
  expect(stays).toEqual(["1 sec", "40 sec", "90 sec", "2 min", "5 min"]);
});
