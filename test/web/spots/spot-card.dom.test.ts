import { createElement } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { spotQuery } from "../../../web/api/queries/spots.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import * as cards from "../../../web/features/spots/spot-card.tsx";
import { SpotNotice } from "../../../web/features/spots/spot-notice.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { htmlOfPart } from "../../support/page-part.ts";

afterEach(() => void vi.restoreAllMocks());

it("has the place in line of a driver who waits for a spot, and of no other", async () => {
  vi.spyOn(cards, "SpotCard").mockReturnValue(createElement("p", null, "third in line"));
  const noticeOf = (waitingForSpot?: boolean) => {
    const user = { ...RECORD, ...(waitingForSpot !== undefined && { waitingForSpot }) };
    return htmlOfPart(createElement(SpotNotice), {
      answered: [
        [userQuery.queryKey, user],
        [spotQuery.queryKey, {}],
      ],
    });
  };
  // Its code is loaded when it is first shown.
  await expect.poll(() => noticeOf(true)).toBe("<p>third in line</p>");
  expect([await noticeOf(false), await noticeOf()]).toEqual(["", ""]);
});
