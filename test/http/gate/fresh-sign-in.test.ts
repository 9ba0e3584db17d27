import { expect, it } from "vitest";
import { driverId, MINUTE_MS } from "../../../db/shapes/units.ts";
import { createDeps } from "../../../durable/deps.ts";
import { freshSignIn } from "../../../worker/http/gate/fresh-sign-in.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { appWith, callerOf } from "../app-with.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const deps = { ...createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} }), now: () => NOW };

it.each([
  ["now", NOW, 200],
  ["ten minutes ago", NOW - 10 * MINUTE_MS, 200],
  ["a moment more than ten minutes ago", NOW - 10 * MINUTE_MS - 1, 403],
  ["nobody knows when", null, 403],
])(
  "a call that ends an account needs a sign-in of the last ten minutes: %s",
  async (_when, signedInAt, status) => {
    const caller = { ...callerOf(driverId.parse("ana")), signedInAt };
    const app = appWith({ deps, caller }).delete("/", freshSignIn, (c) => c.text("done"));
    const response = await app.request("/", { method: "DELETE" });
    const text = await response.text();
    expect([response.status, text === "done" ? text : JSON.parse(text).code]).toEqual([
      status,
      status === 200 ? "done" : "sign_in_again",
    ]);
  },
);
