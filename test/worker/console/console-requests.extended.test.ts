import { env } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ActResponse, RequestsResponse } from "../../../worker/contract/console/operators.ts";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { addAccount, operatorClient, OWNER, SUPPORT, type OperatorClient } from "../console-harness.ts";
import { createDriver, deployment, resetPlatform, type TestDriver } from "../harness.ts";
import { rows } from "../payments-harness.ts";

const reason = "the driver called";
const SECOND = "second@example.com";
const at = deployment({
  IDENTITY: "embedded",
  OPS_OWNERS: `${OWNER},${SECOND}`,
  OPS_SUPPORT: `${SUPPORT},other@example.com`,
});
const [owner, second] = [operatorClient(OWNER, at), operatorClient(SECOND, at)];
const [support, other] = [operatorClient(SUPPORT, at), operatorClient("other@example.com", at)];

beforeAll(() => resetPlatform());
beforeEach(async () => {
  await resetPlatform();
  await env.DB.prepare(`DELETE FROM operator_approvals`).run();
});

const newKey = () => crypto.randomUUID();
const decide = (client: OperatorClient, id: string, approve = true) =>
  client.call("POST", `/requests/${id}`, { body: { approve, reason: "I agree to it" }, key: newKey() });
const listOf = async (client: OperatorClient) =>
  (await parseResponse<RequestsResponse>(await client.call("GET", "/requests"), "requests")).requests;
/** More than support may give in a day. */
const many: DriverAct = { act: "days", days: 60, reason };
const ask = async (driver: TestDriver, act: DriverAct = many, client = support) => {
  const id = newKey();
  expect(await client.do(driver, act, id)).toMatchObject({ status: "waiting", act: { act: "ask" } });
  return id;
};
const unusedDays = async (driver: TestDriver) =>
  Math.round((await owner.page(driver)).service.unusedMs / 86_400_000);

describe("an act of support above its limit", () => {
  it("waits for an owner's yes, and is then done once, under its own key and as support's", async () => {
    const driver = await createDriver({ serviceMs: 0 });
    const id = await ask(driver);
    expect(await unusedDays(driver)).toBe(0);
    expect((await listOf(support))[0]).toMatchObject({
      id,
      act: "days",
      driverId: driver.driverId,
      what: { days: 60 },
      operator: SUPPORT,
      status: "waiting",
      decidedBy: null,
    });
    // Sent again, it still waits, once.
    expect((await support.do(driver, many, id)).status).toBe("waiting");
    const answers = await Promise.all([decide(owner, id), decide(second, id), decide(owner, id)]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(await unusedDays(driver)).toBe(60);
    const lines = (await owner.log(driver)).filter(({ act }) => act === "days");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ id, operator: SUPPORT, role: "support", what: { days: 60 } });
    expect([OWNER, SECOND]).toContain(lines[0]?.what["approvedBy"]);
    // The key answers as it was done, and gives nothing more.
    expect((await support.do(driver, many, id)).status).toBe("done");
    expect(await unusedDays(driver)).toBe(60);
    expect((await listOf(owner))[0]).toMatchObject({ id, status: "approved" });
  });

  it("is decided by no support, ends with a no, and after 72 hours", async () => {
    const driver = await createDriver({ serviceMs: 0 });
    const declined = await ask(driver);
    expect((await decide(support, declined)).status).toBe(403);
    expect((await decide(other, declined)).status).toBe(403);
    expect((await decide(owner, declined, false)).status).toBe(200);
    expect((await decide(second, declined)).status).toBe(409);
    expect((await decide(owner, declined, false)).status).toBe(409);
    const late = await ask(driver);
    await env.DB.prepare(`UPDATE operator_approvals SET expires_at = ? WHERE id = ?`)
      .bind(Date.now() - 1, late)
      .run();
    expect((await decide(owner, late)).status).toBe(409);
    expect(new Map((await listOf(owner)).map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [declined, "declined"],
        [late, "expired"],
      ]),
    );
    expect(await unusedDays(driver)).toBe(0);
    expect((await owner.log(driver)).map(({ act }) => act).toSorted()).toEqual(["ask", "ask", "decline"]);
    expect((await decide(owner, newKey())).status).toBe(404);
  });

  it("is planned anew as things stand at the yes, and waits on where it makes no sense any more", async () => {
    const driver = await createDriver({ serviceMs: 0 });
    const id = await ask(driver);
    await env.DB.prepare(`DELETE FROM users WHERE id = ?`).bind(driver.driverId).run();
    expect((await decide(owner, id)).status).toBe(404);
    expect((await listOf(owner))[0]).toMatchObject({ id, status: "waiting", driverName: null });
  });

  it("that looks at one number more than its operator may is refused, and waits for nobody", async () => {
    const few = operatorClient(SUPPORT, deployment({ IDENTITY: "embedded", OPS_SUPPORT_LOOKS: "1" }));
    const [driver, next] = [await createDriver(), await createDriver()];
    await env.DB.prepare(`SELECT 1`).run();
    await few.act(driver, { act: "show_phone", reason });
    expect((await few.act(next, { act: "show_phone", reason })).status).toBe(403);
    expect(await listOf(owner)).toEqual([]);
  });
});

describe("an act that takes two", () => {
  it("exports a driver's data: one operator requests it, another owner approves it, and both can fetch it for a day", async () => {
    const driver = await createDriver();
    await addAccount(driver);
    const id = await ask(driver, { act: "export_data", reason }, owner);
    const fetchExport = (client: OperatorClient) => client.call("GET", `/requests/${id}/export`);
    expect((await fetchExport(owner)).status).toBe(404);
    // One's own yes counts for nothing.
    expect((await decide(owner, id)).status).toBe(403);
    expect((await decide(second, id)).status).toBe(200);
    for (const client of [owner, second]) {
      const file = await parseResponse<DriverExport>(await fetchExport(client), "export");
      expect(file.user.phoneNumber).toBe(driver.phoneNumber);
    }
    expect((await fetchExport(support)).status).toBe(403);
    await env.DB.prepare(`UPDATE operator_approvals SET decided_at = decided_at - ?`)
      .bind(25 * 3_600_000)
      .run();
    expect((await fetchExport(owner)).status).toBe(409);
  });

  it("erases a driver: nothing is gone before the yes, and all of it after", async () => {
    const driver = await createDriver();
    await addAccount(driver);
    const id = await ask(driver, { act: "erase", reason });
    const isThere = async () =>
      (await rows(`SELECT id FROM users WHERE id = ?`, driver.driverId)).length +
      (await rows(`SELECT id FROM pool_users WHERE id = ?`, driver.driverId)).length;
    expect(await isThere()).toBe(2);
    const done = await parseResponse<ActResponse>(await decide(owner, id), "erase");
    expect(done).toMatchObject({
      status: "done",
      act: { act: "erase", operator: SUPPORT, what: { approvedBy: OWNER } },
    });
    expect(await isThere()).toBe(0);
    expect(await rows(`SELECT id FROM operator_orders WHERE driver_id = ?`, driver.driverId)).toEqual([]);
    expect((await decide(second, id)).status).not.toBe(200);
    // The log stays, by the random id.
    expect((await owner.log(driver)).map(({ act }) => act)).toEqual(["erase", "ask"]);
  });
});
