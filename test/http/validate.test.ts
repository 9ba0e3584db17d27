import { Hono } from "hono";
import { expect, it } from "vitest";
import * as z from "zod";
import { answerError } from "../../worker/http/answer-error.ts";
import type { AppEnv } from "../../worker/http/app-env.ts";
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
