import { SELF } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorResponse } from "../../worker/contract/error-response.ts";
import type { User } from "../../worker/contract/account/user.ts";
import { app } from "../../worker/app.ts";
import { DriverClient } from "../support/driver-client.ts";
import { signIn } from "../support/sandbox-client.ts";
import {
  apiTarget,
  resetPlatform,
  createDriver,
  runAlarm,
  createActiveDriver,
  publishOffer,
} from "./harness.ts";

beforeEach(() => resetPlatform());

const PROTECTED = [
  ["GET", "/flex/v1/user"],
  ["GET", "/flex/v1/user/earnings"],
  ["PUT", "/flex/v1/user"],
  ["PUT", "/flex/v1/user/+15550109999"],
  ["PATCH", "/flex/v1/user"],
  ["DELETE", "/flex/v1/user"],
  ["GET", "/flex/v1/user/export"],
  ["GET", "/flex/v1/user/notifications"],
  ["PUT", "/flex/v1/user/notifications"],
  ["GET", "/flex/v1/user/reminders"],
  ["PUT", "/flex/v1/user/reminders"],
  ["GET", "/flex/v1/user/chat"],
  ["GET", "/flex/v1/user/recording"],
  ["PUT", "/flex/v1/user/recording"],
  ["GET", "/flex/v1/user/texts"],
  ["POST", "/flex/v1/user/texts/test"],
  ["PUT", "/flex/v1/user/push"],
  ["DELETE", "/flex/v1/user/push"],
  ["POST", "/flex/v1/user/preferred-phone/code"],
  ["POST", "/flex/v1/user/preferred-phone/verify"],
  ["GET", "/flex/v1/filters"],
  ["PUT", "/flex/v1/filters"],
  ["POST", "/flex/v1/filters/replay"],
  ["GET", "/flex/v1/offer-hours"],
  ["GET", "/flex/v1/offer-hours/city"],
  ["GET", "/flex/v1/warehouses"],
  ["GET", "/flex/v1/checks"],
  ["GET", "/flex/v1/week"],
  ["GET", "/flex/v1/lost-days"],
  ["GET", "/flex/v1/blocks"],
  ["GET", "/flex/v1/blocks/passed-over"],
  ["GET", "/flex/v1/blocks/next"],
  ["POST", "/flex/v1/blocks/some-id/check-in"],
  ["GET", "/flex/v1/blocks/some-id/other-offers"],
  ["POST", "/flex/v1/blocks/some-id/take-again"],
  ["GET", "/flex/v1/user/im-here/data"],
  ["GET", "/flex/v1/setup"],
  ["POST", "/flex/v1/setup/login"],
  ["POST", "/flex/v1/setup/otp"],
  ["POST", "/flex/v1/setup/otp/resend"],
  ["DELETE", "/flex/v1/setup"],
  ["POST", "/flex/v1/live/ticket"],
  ["POST", "/flex/v1/errors"],
  ["GET", "/flex/v1/pause"],
  ["POST", "/flex/v1/pause"],
  ["DELETE", "/flex/v1/pause"],
  ["GET", "/flex/v1/plans"],
  ["GET", "/flex/v1/payments"],
  ["GET", "/flex/v1/payments/some-id"],
  ["GET", "/flex/v1/payments/some-id/receipt"],
  ["POST", "/flex/v1/payments/some-id/cancel"],
  ["GET", "/flex/v1/payments/cards"],
  ["DELETE", "/flex/v1/payments/cards/some-id"],
  ["POST", "/flex/v1/payments/session"],
  ["GET", "/flex/v1/payments/renewal"],
  ["PUT", "/flex/v1/payments/renewal"],
  ["POST", "/flex/v1/payments/renewal/seen"],
  ["POST", "/flex/v1/payments/quote"],
  ["POST", "/flex/v1/payments/prepare"],
  ["DELETE", "/flex/v1/sessions"],
  ["DELETE", "/flex/v1/sessions/some-id"],
  ["GET", "/flex/v1/calendar"],
  ["POST", "/flex/v1/calendar"],
  ["PATCH", "/flex/v1/calendar"],
  ["DELETE", "/flex/v1/calendar"],
  ["GET", "/flex/v1/calendar/address"],
  ["PUT", "/flex/v1/calendar/session"],
  ["GET", "/flex/v1/calendar/feed/some-file.ics"],
  ["GET", "/flex/v1/passkeys"],
  ["POST", "/flex/v1/passkeys"],
  ["POST", "/flex/v1/passkeys/offer"],
  ["POST", "/flex/v1/passkeys/undo-recovery"],
  ["PATCH", "/flex/v1/passkeys/some-id"],
  ["DELETE", "/flex/v1/passkeys/some-id"],
  ["GET", "/flex/v1/feedback"],
  ["GET", "/flex/v1/invitations"],
  ["GET", "/flex/v1/raffles"],
  ["GET", "/flex/v1/announcements"],
  ["GET", "/flex/v1/rewards"],
  ["GET", "/flex/v1/security"],
  ["GET", "/flex/v1/sessions"],
  ["GET", "/flex/v1/spot"],
  ["POST", "/flex/v1/questions/some-id"],
  ["GET", "/flex/v1/question-link"],
  ["POST", "/flex/v1/question-link"],
  ["GET", "/flex/v1/receipt-link"],
  ["GET", "/flex/v1/renewal-link"],
  ["POST", "/flex/v1/renewal-link"],
  ["GET", "/flex/v1/undo"],
  ["POST", "/flex/v1/feedback"],
  ["POST", "/flex/v1/invitations"],
  ["POST", "/flex/v1/rewards/redeem"],
  ["POST", "/flex/v1/spot/join"],
  ["POST", "/flex/v1/spot/take"],
  ["POST", "/flex/v1/undo"],
] as const;

async function problemOf(answer: Response): Promise<ErrorResponse> {
  return answer.json<ErrorResponse>();
}

describe("the token check", () => {
  it("is tested on every route", () => {
    const declared = app.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/flex/v1/"))
      .map(
        ({ method, path }) =>
          `${method} ${path
            .replace(/:phone.*$/, "+15550109999")
            .replace(":id", "some-id")
            .replace(":file", "some-file.ics")}`,
      );
    // The live connection uses a ticket instead of a token.
    const ticketed = ["GET /flex/v1/live"];
    expect([...new Set(declared)].toSorted()).toEqual(
      [...PROTECTED.map(([method, path]) => `${method} ${path}`), ...ticketed].toSorted(),
    );
  });

  const somebody = { driverId: "somebody", phoneNumber: "+15550109999" };
  const forgeries = [
    ["no token", () => Promise.resolve("")],
    ["an expired token", () => signIn(apiTarget, somebody, { expiresIn: -120 })],
    ["an access token", () => signIn(apiTarget, somebody, { tokenUse: "access" })],
    ["another client's token", () => signIn(apiTarget, somebody, { clientId: "other" })],
    ["another issuer's token", () => signIn(apiTarget, somebody, { issuer: "https://example.com/pool" })],
    [
      "a token with a modified payload",
      async () => {
        const [head, payload, signature] = (await signIn(apiTarget, somebody)).split(".");
        const claims = JSON.parse(atob((payload ?? "").replaceAll("-", "+").replaceAll("_", "/")));
        const forged = btoa(JSON.stringify({ ...claims, sub: "victim" })).replaceAll("=", "");
        return `${head}.${forged}.${signature}`;
      },
    ],
    [
      "an unsigned token",
      async () => {
        const [, payload] = (await signIn(apiTarget, somebody)).split(".");
        return `${btoa('{"alg":"none"}').replaceAll("=", "")}.${payload}.`;
      },
    ],
  ] as const;

  it.each(forgeries)("rejects %s on every route", async (_name, token) => {
    const authorization = `Bearer ${await token()}`;
    for (const [method, path] of PROTECTED) {
      const answer = await SELF.fetch(`${apiTarget.origin}${path}`, { method, headers: { authorization } });
      expect({ path, status: answer.status, code: (await problemOf(answer)).code }).toEqual({
        path,
        status: 401,
        code: "unauthenticated",
      });
    }
  });

  it("gives access to the caller's own data only", async () => {
    const first = await createActiveDriver();
    await publishOffer(first.warehouseIds[0]!);
    await runAlarm(first);
    const second = await createDriver();

    expect((await second.client.filters()).filters.warehouses).toEqual([]);
    expect(await second.client.fetchJson("GET", "/flex/v1/blocks?type=won")).toEqual({
      items: [],
      cursor: null,
      total: { count: 0, minutes: 0, payCents: 0, currency: null },
    });
    const { Item } = await second.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
    expect(Item.phoneNumber).toBe(second.phoneNumber);
  });
});

describe("error responses", () => {
  it("have one shape in three languages, even for an unknown route", async () => {
    const { client } = await createDriver();
    const answer = await client.call("GET", "/flex/v1/nothing");
    const problem = await problemOf(answer);
    expect(answer.status).toBe(404);
    expect(problem).toEqual({
      code: "not_found",
      message: { en: expect.any(String), es: expect.any(String), pt: expect.any(String) },
      requestId: expect.any(String),
    });
  });

  it("are 404 for a user without a record", async () => {
    const person = { driverId: crypto.randomUUID(), phoneNumber: "+15550107777" };
    const client = new DriverClient({ ...apiTarget, token: await signIn(apiTarget, person) });
    expect((await client.call("GET", "/flex/v1/user")).status).toBe(404);
  });

  it("are 413 for a body that is too large", async () => {
    const { client } = await createDriver();
    const answer = await client.call("PUT", "/flex/v1/filters", { body: { long: "x".repeat(300_000) } });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([413, "too_large"]);
  });

  it("are 404 for a chunk of an earlier build, while app paths return the page", async () => {
    expect((await SELF.fetch(`${apiTarget.origin}/assets/old-chunk.js`)).status).toBe(404);
    const page = await SELF.fetch(`${apiTarget.origin}/flex/dashboard`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
  });
});
