import { Hono } from "hono";
import { expect, it } from "vitest";
import * as z from "zod";
import { answerError } from "../../worker/http/errors/answer-error.ts";
import type { AppEnv } from "../../worker/http/app-env.ts";
import { userPatch } from "../../worker/contract/account/user.ts";
import { invalidRequest } from "../../worker/http/errors/api-error.ts";
import { validate } from "../../worker/http/validate.ts";

it("hands on what fits, and names the fields of what doesn't", async () => {
  const app = new Hono<AppEnv>()
    .onError(answerError)
    .get("/", validate("query", z.object({ page: z.coerce.number().max(5) })), (c) =>
      c.json(c.req.valid("query")),
    );
  expect(await (await app.request("/?page=3")).json()).toEqual({ page: 3 });
  const refused = await app.request("/?page=9");
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: "invalid_request", fields: { page: "too_large" } });
});

it.each<[string, object, Record<string, string>]>([
  [
    "the field of the member that was meant",
    { updateProfile: true, name: "A", preferredPhoneNumber: null },
    { name: "too_small" },
  ],
  [
    "each field of it",
    { updateProfile: true, name: "A", preferredPhoneNumber: "+1555" },
    { name: "too_small", preferredPhoneNumber: "invalid" },
  ],
  ["no field where no member was meant", { updateProfile: true }, { "": "invalid" }],
  ["no field where the body is another's", { mode: "x", name: "Ana" }, { "": "invalid" }],
])("names of one of several bodies %s", (_what, body, fields) => {
  const { error } = userPatch.safeParse(body);
  expect(invalidRequest(error?.issues ?? []).details).toEqual({ fields });
});
