import { expect, it } from "vitest";
import { errorReport, visitorErrorReport } from "../../../worker/contract/error-report.ts";
import { toErrorReport, toVisitorReport } from "../../../web/features/errors/report-error.ts";

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

it("reports a visitor's error without its message", () => {
  const error = new TypeError("no Ana at ana@example.com");
  const report = toVisitorReport(toErrorReport("error_page", error));
  expect(visitorErrorReport.parse(report)).toMatchObject({ caller: "error_page", name: "TypeError" });
  expect(JSON.stringify(report)).not.toContain("Ana");
  error.stack = `TypeError: no Ana at ana@example.com\n${"    at x (y.js:1:2)\n".repeat(2_000)}`;
  expect(visitorErrorReport.parse(toVisitorReport(toErrorReport("error_page", error))).stack).toHaveLength(
    4_000,
  );
});
