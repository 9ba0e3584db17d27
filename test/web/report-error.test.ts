import { expect, it } from "vitest";
import { errorReport } from "../../worker/contract/error-report.ts";
import { toErrorReport } from "../../web/features/errors/report-error.ts";

it("reports any error in the contract's shape, however long", () => {
  const long = new RangeError("x".repeat(5_000));
  long.stack = "y".repeat(50_000);
  expect(errorReport.parse(toErrorReport("error_page", long))).toEqual({
    caller: "error_page",
    name: "RangeError",
    message: "x".repeat(2_000),
    stack: "y".repeat(16_000),
  });
  expect(errorReport.parse(toErrorReport("error_page", "no error at all"))).toEqual({
    caller: "error_page",
    name: "string",
    message: "no error at all",
    stack: null,
  });
});
