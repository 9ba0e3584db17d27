import { expect, it } from "vitest";
import { listCommentPage } from "../../worker/console/voice.ts";
import { feedbackQueryInput } from "../../worker/contract/console/voice.ts";
import { NOW } from "../payments/checkout-harness.ts";
import { ANA, openDesk } from "./desk.ts";

it("come a page at a time, the latest first, each once, and end with the last full page", async () => {
  const at = openDesk();
  const written = [
    ["a", NOW - 1],
    ["b", NOW],
    ["c", NOW],
    ["d", NOW - 2],
  ] as const;
  for (const [id, when] of written)
    at.run(
      `INSERT INTO feedback (id, driver_id, score, comment, at) VALUES (?, ?, 9, ?, ?)`,
      id,
      ANA,
      id,
      when,
    );
  const read = async (given: string | undefined, limit: number) => {
    // As the call takes it.
    const { cursor } = feedbackQueryInput.parse({ cursor: given });
    const page = await listCommentPage(at.as("owner"), cursor, limit);
    return { shown: page.comments.map(({ comment }) => comment), cursor: page.cursor ?? undefined };
  };
  const first = await read(undefined, 2);
  const second = await read(first.cursor, 2);
  expect([first.shown, second]).toEqual([["c", "b"], { shown: ["a", "d"], cursor: undefined }]);
  const three = await read(undefined, 3);
  expect([three.shown, await read(three.cursor, 3)]).toEqual([
    ["c", "b", "a"],
    { shown: ["d"], cursor: undefined },
  ]);
});
