import { expect, it } from "vitest";
import * as z from "zod";
import { pushSubscription } from "../../db/shapes/notifications.ts";
import { userInput, userPatch } from "../../worker/contract/account/user.ts";
import { raffleId } from "../../worker/contract/money/raffles.ts";
import { invalidRequest } from "../../worker/http/errors/api-error.ts";
import { validate } from "../../worker/http/validate.ts";
import { appWith } from "./app-with.ts";

it("hands on what fits, and names the fields of what doesn't", async () => {
  const pages = validate("query", z.object({ page: z.coerce.number().max(5) }));
  const app = appWith({}).get("/", pages, (c) => c.json(c.req.valid("query")));
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

it.each(["+1555010010", "+155501001000", "+1 5550100100", "15550100100", "x+15550100100", "+445550100100"])(
  "takes no account at %s, which is no number of ten digits in the US",
  (phoneNumber) => {
    const taken = (given: string) => userInput.safeParse({ name: "Ana", phoneNumber: given }).success;
    expect([taken("+15550100100"), taken(phoneNumber)]).toEqual([true, false]);
  },
);

it("takes a raffle's id for a part of a path only where it is one", () => {
  const taken = (id: string) => raffleId.safeParse(id).success;
  expect(["may_2026-1", "a".repeat(64)].map(taken)).toEqual([true, true]);
  expect(["", "../may", "may/..", "may ", "a".repeat(65)].map(taken)).toEqual(Array(5).fill(false));
});

it("takes a browser's keys only whole", () => {
  const [key, auth] = ["k".repeat(87), "a".repeat(22)];
  const taken = (p256dh: string, secret = auth) =>
    pushSubscription.safeParse({ endpoint: "https://push.example/1", keys: { p256dh, auth: secret } })
      .success;
  expect([taken(key), taken(`${key}=`), taken(key, `${auth}==`)]).toEqual([true, true, true]);
  expect([` ${key}`, `${key}&`, `${key}${key}`, "k".repeat(79)].map((one) => taken(one))).toEqual(
    Array(4).fill(false),
  );
  expect([` ${auth}`, `${auth}&`, "a".repeat(19)].map((one) => taken(key, one))).toEqual(
    Array(3).fill(false),
  );
});
