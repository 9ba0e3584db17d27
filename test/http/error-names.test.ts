import { expect, it } from "vitest";
import { errorName } from "../../durable/runtime/describe-error.ts";

const named = (name: string) => errorName(Object.assign(new RangeError("x"), { name }));

it("an error is named by a class alone, never by words that stand where its name should", () => {
  expect(["Query.Error$1", "_Own", "a".repeat(64)].map(named)).toEqual([
    "Query.Error$1",
    "_Own",
    "a".repeat(64),
  ]);
  expect(["to +15550109999 Ana", "Ana Lima", "1Error", "", "a".repeat(65)].map(named)).toEqual(
    Array(5).fill("Error"),
  );
});
