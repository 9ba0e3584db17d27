import { env, SELF } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import type { DriverExport, RecordingResponse } from "../../../worker/contract/account/account.ts";
import type { PublicConfig } from "../../../worker/contract/status.ts";
import { apiTarget, createLinkedDriver, deployment, resetPlatform } from "../harness.ts";

const SETTINGS = {
  RECORDING_SCRIPT_URL: "https://www.recorder.example/tag/1",
  OPS_URL: "https://ops.example",
};
const PATH = "/flex/v1/user/recording";

beforeEach(() => resetPlatform());

/** The setting's question to the driver, and their answer. */
async function openRecording(settings: Record<string, string>) {
  const { token, phoneNumber, driverId } = await createLinkedDriver();
  const { fetch, origin } = deployment(settings);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const call = (path: string, init: RequestInit = {}) => fetch(`${origin}${path}`, { headers, ...init });
  return {
    phoneNumber,
    driverId,
    call,
    look: () => call(PATH),
    answer: (consent: unknown) => call(PATH, { method: "PUT", body: JSON.stringify({ consent }) }),
  };
}

it("is allowed by nobody before they said so, and ended by one word", async () => {
  const { phoneNumber, look, answer, call } = await openRecording(SETTINGS);
  const seen = async (response: Response) => response.json<RecordingResponse>();
  const exported = async () => {
    const { recording } = await (await call("/flex/v1/user/export")).json<DriverExport>();
    return recording;
  };
  expect(await seen(await look())).toEqual({ consent: null, phoneNumber });
  expect(await exported()).toBeNull();
  for (const consent of [true, false]) {
    expect(await seen(await answer(consent))).toEqual({ consent, phoneNumber });
    expect(await seen(await look())).toEqual({ consent, phoneNumber });
    expect(await exported()).toEqual({ consent, at: expect.any(Number) });
  }
  expect((await answer("yes")).status).toBe(400);
});

it("is gone with the account", async () => {
  const { driverId, answer, call } = await openRecording(SETTINGS);
  await answer(true);
  expect((await call("/flex/v1/user", { method: "DELETE" })).status).toBe(204);
  const left = await env.DB.prepare(`SELECT recording_consent FROM users WHERE id = ?`).bind(driverId).all();
  expect(left.results).toEqual([]);
});

it("does not exist where no recorder is set", async () => {
  const { look, answer } = await openRecording({});
  expect([(await look()).status, (await answer(true)).status]).toEqual([404, 404]);
  const { recording } = await (await SELF.fetch(`${apiTarget.origin}/status/config`)).json<PublicConfig>();
  expect(recording).toBeNull();
});

it.each([
  [SETTINGS, "jornada"],
  [{ ...SETTINGS, RECORDING_TAG: "drivers" }, "drivers"],
])("is in the page's config as %j says, tagged", async (settings, tag) => {
  const { fetch, origin } = deployment(settings);
  const { recording } = await (await fetch(`${origin}/status/config`)).json<PublicConfig>();
  expect(recording).toEqual({ scriptUrl: "https://www.recorder.example/tag/1", tag });
});
