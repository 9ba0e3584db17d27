import { expect, it } from "vitest";
import { inOrder } from "../suite-order.ts";

it("begins with the simulated weeks and ends with short files, so that nothing runs alone at the end", () => {
  const files = ["engine", "worker", "world", "browser"].map((suite) => ({ suite, ms: 1, bytes: 1 }));
  expect(inOrder(files).map(({ suite }) => suite)).toEqual(["world", "browser", "worker", "engine"]);
});

it("takes the longest file of a suite first, and the largest where a file has not been timed", () => {
  const timed = [
    { suite: "browser", ms: 2, bytes: 9 },
    { suite: "browser", ms: 8, bytes: 1 },
  ];
  expect(inOrder(timed).map(({ ms }) => ms)).toEqual([8, 2]);
  const untimed = timed.map((file, index) => (index === 0 ? { ...file, ms: undefined } : file));
  expect(inOrder(untimed).map(({ bytes }) => bytes)).toEqual([9, 1]);
});

it("refuses a suite that has no place", () => {
  expect(() =>
    inOrder([
      { suite: "new", ms: 1, bytes: 1 },
      { suite: "web", ms: 1, bytes: 1 },
    ]),
  ).toThrow("new");
});
