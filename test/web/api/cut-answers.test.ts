import { expect, it } from "vitest";
import * as z from "zod/mini";
import { parseResponse } from "../../../web/api/client/request.ts";
import { cutResponse } from "../../support/scripted-network.ts";

const shape = z.object({ ok: z.boolean() });

it.each([200, 409, 500])(
  "counts an answer whose connection was lost within it as none: %i",
  async (status) => {
    const cut = cutResponse(status);
    await expect(parseResponse(shape, cut)).rejects.toMatchObject({ status: 0, code: "network" });
  },
);

it.each([
  ["a page of somebody between us", 200, { status: 0, code: "network" }],
  ["a failure that isn't ours", 502, { status: 502, code: "internal" }],
])("reads no answer from %s", async (_what, status, error) => {
  const page = new Response("<html>", { status, headers: { "content-type": "text/html" } });
  await expect(parseResponse(shape, page)).rejects.toMatchObject(error);
});
