import { expect, it } from "vitest";
import { retryDelayMs } from "../../../web/api/session/cognito-request.ts";

it("doubles from 200 ms, adds up to 100 ms, and stops before 5 s", () => {
  const delays = [1, 2, 3, 4, 5, 6].map((attempt) => [retryDelayMs(attempt, 0), retryDelayMs(attempt, 1)]);
  expect(delays).toEqual([
    [200, 300],
    [400, 500],
    [800, 900],
    [1600, 1700],
    [3200, 3300],
    [null, null],
  ]);
});
