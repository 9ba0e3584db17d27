import { expect, it } from "vitest";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { receiptLinkQuery, renewalLinkQuery } from "../../../web/api/queries/owner-links.ts";
import { questionLinkQuery } from "../../../web/api/queries/questions.ts";

it.each([
  ["a question", questionLinkQuery("token").retry],
  ["a renewal", renewalLinkQuery("token").retry],
  ["receipts", receiptLinkQuery("token").retry],
])("asks for %s behind a link again three times, and never where the link has expired", (_what, retry) => {
  if (typeof retry !== "function") throw new Error("no rule for asking again");
  const [lost, expired] = [new RequestError(0, "network"), new RequestError(410, "undo_expired")];
  expect([0, 2, 3].map((failures) => retry(failures, lost))).toEqual([true, true, false]);
  expect(retry(0, expired)).toBe(false);
});
