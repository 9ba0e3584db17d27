import { runInDurableObject } from "cloudflare:test";
import ICAL from "ical.js";
import { beforeEach, describe, expect, it } from "vitest";
import type { CalendarAddressResponse, CalendarResponse } from "../../../worker/contract/account/calendar.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import type { SessionsResponse } from "../../../worker/contract/account/security.ts";
import { DriverClient } from "../../support/driver-client.ts";
import { callPool, embedded, signInMember, signUpMember } from "../embedded-pool.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  createDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const PATH = "/flex/v1/calendar";
/** A program that got a failure would keep the blocks that it has. */
const OFF = "Jornada: calendar link turned off";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const make = ({ client }: Pick<TestDriver, "client">, withPay = false) =>
  client.fetchJson<CalendarAddressResponse>("POST", PATH, { body: { withPay } });

const open = (address: string, headers: Record<string, string> = {}) => apiTarget.fetch(address, { headers });

/** The entries as a calendar program reads them. */
async function entriesAt(address: string) {
  const calendar = new ICAL.Component(ICAL.parse(await (await open(address)).text()));
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      title: event.summary,
      text: event.description,
      where: event.location,
      startsAt: event.startDate.toJSDate().getTime(),
      endsAt: event.endDate.toJSDate().getTime(),
      sequence: event.sequence,
    };
  });
}

/** Captures an offer, and lets the object read the held blocks. */
async function capture(driver: TestDriver, offer: Parameters<typeof publishOffer>[1] = {}) {
  await publishOffer(driver.warehouseIds[0]!, offer);
  advanceClock(5_000);
  await runAlarm(driver);
  const block = (await driverObject(driver).snapshot()).held.at(-1);
  if (!block) throw new Error("nothing was captured");
  return block;
}

async function readHeldAgain(driver: TestDriver): Promise<void> {
  advanceClock(6 * MINUTE_MS);
  await runAlarm(driver);
}

/** On the platform's side. */
const changeBlock = (blockId: string, init: RequestInit) =>
  apiTarget.fetch(`${apiTarget.origin}/sandbox/platform/blocks/${blockId}`, init);

describe("a calendar address", () => {
  it("is read by another program: each held block once, at its instants, with the pay only where it is wanted", async () => {
    const driver = await createActiveDriver();
    const block = await capture(driver);
    const plain = await make(driver);
    const [entry, ...others] = await entriesAt(plain.address);
    expect(others).toEqual([]);
    expect(entry).toEqual({
      uid: `${block.blockId}@${new URL(apiTarget.origin).hostname}`,
      title: expect.stringMatching(/^Block: .+/),
      text: expect.not.stringContaining("$90"),
      where: expect.any(String),
      startsAt: Math.floor(block.startsAt / 1000) * 1000,
      endsAt: Math.floor(block.endsAt / 1000) * 1000,
      sequence: 0,
    });

    const { calendar } = await driver.client.fetchJson<CalendarResponse>("PATCH", PATH, {
      body: { withPay: true },
    });
    expect(calendar?.withPay).toBe(true);
    const [withPay] = await entriesAt(plain.address);
    expect(withPay?.text).toContain("$90");
  });

  it("says each change of an entry's words as a change of the entry, and how long a block is", async () => {
    const driver = await createActiveDriver();
    await capture(driver);
    const { address } = await make(driver);
    const read = async () => (await entriesAt(address)).map(({ text, sequence }) => ({ text, sequence }));
    const setPay = (withPay: boolean) => driver.client.call("PATCH", PATH, { body: { withPay } });
    const url = `${apiTarget.origin}/flex/dashboard`;
    const plain = { text: `3 hr\n${url}`, sequence: 0 };
    expect([await read(), await read()]).toEqual([[plain], [plain]]);
    await setPay(true);
    const shown = { text: `$90 for 3 hr ($30 an hour)\n${url}`, sequence: 1 };
    expect([await read(), await read()]).toEqual([[shown], [shown]]);
    await setPay(false);
    expect(await read()).toEqual([{ ...plain, sequence: 2 }]);
    const language = { language: "pt", updateLanguage: true };
    await driver.client.sealed("PATCH", "/flex/v1/user", language);
    expect(await read()).toEqual([{ text: `3 h\n${url}`, sequence: 3 }]);
  });

  it("loses a block that is given back, and keeps one that is over", async () => {
    const driver = await createActiveDriver();
    const past = await capture(driver, { inMinutes: 50 });
    const ahead = await capture(driver, { inMinutes: 600 });
    const { address } = await make(driver);
    expect((await entriesAt(address)).map(({ uid }) => uid.split("@")[0])).toEqual([
      past.blockId,
      ahead.blockId,
    ]);
    await changeBlock(ahead.blockId, { method: "DELETE" });
    await readHeldAgain(driver);
    expect((await entriesAt(address)).map(({ uid }) => uid.split("@")[0])).toEqual([past.blockId]);
    advanceClock(2 * DAY_MS);
    await runAlarm(driver);
    expect((await entriesAt(address)).map(({ uid }) => uid.split("@")[0])).toEqual([past.blockId]);
  });

  it("answers 304 as long as nothing changed", async () => {
    const driver = await createActiveDriver();
    await capture(driver);
    const { address } = await make(driver);
    const first = await open(address);
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(first.headers.get("cache-control")).toBe("private, max-age=1800");
    advanceClock(MINUTE_MS);
    const second = await open(address, { "if-none-match": etag });
    expect([second.status, await second.text()]).toEqual([304, ""]);
    await capture(driver, { inMinutes: 700 });
    expect((await open(address, { "if-none-match": etag })).status).toBe(200);
  });

  it("is answered sixty times an hour, which a program that asks each minute stays within", async () => {
    const { address } = await make(await createDriver());
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1) statuses.push((await open(address)).status);
    expect([new Set(statuses.slice(0, 60)), statuses[60]]).toEqual([new Set([200]), 429]);
  });

  it("shows no blocks once it is renewed or removed, but a line that says so, and opens nobody else's", async () => {
    const [driver, other] = [await createActiveDriver(), await createActiveDriver()];
    const block = await capture(driver);
    const first = await make(driver);
    const theirs = await make(other);
    const second = await make(driver);
    expect((await entriesAt(first.address)).map(({ title }) => title)).toEqual([OFF]);
    expect((await entriesAt(second.address)).map(({ uid }) => uid)).toHaveLength(1);
    expect(await entriesAt(theirs.address)).toEqual([]);
    // Ids of one driver with the other's code.
    const forged = second.address.replace(/.{16}\.ics$/, theirs.address.slice(-20));
    expect([
      (await open(forged)).status,
      (await open(second.address.replace(/.\.ics$/, ".ics"))).status,
    ]).toEqual([401, 401]);

    expect((await other.client.call("DELETE", PATH)).status).toBe(204);
    expect((await entriesAt(theirs.address)).map(({ title }) => title)).toEqual([OFF]);
    const held = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect({ calendar: held.calendar, blocks: held.blocksHeld.map(({ blockId }) => blockId) }).toEqual({
      calendar: { createdAt: expect.any(Number), withPay: false, isPaused: false },
      blocks: [block.blockId],
    });
  });

  it("is empty once the account is gone", async () => {
    const member = await newMember();
    const { address } = await make(member);
    expect((await embedded.fetch(address)).status).toBe(200);
    expect((await member.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    const left = await (await embedded.fetch(address)).text();
    expect([left.includes("BEGIN:VCALENDAR"), left.includes("BEGIN:VEVENT")]).toEqual([true, false]);
  });

  it("can't be read or made by a sign-in that is not fresh, nor can a paused one be resumed by it", async () => {
    const member = await newMember();
    const { calendar } = await make(member);
    advanceClock(11 * MINUTE_MS);
    const session = { body: { feedId: calendar.feedId } };
    expect([
      (await member.client.call("POST", PATH, { body: { withPay: false } })).status,
      (await member.client.call("GET", `${PATH}/address`)).status,
      (await member.client.call("PUT", `${PATH}/session`, session)).status,
      (await member.client.call("GET", PATH)).status,
    ]).toEqual([403, 403, 403, 200]);
  });
});

async function newMember() {
  const member = await signUpMember();
  const { client, phoneNumber } = member;
  await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
  return member;
}

async function signInAgain(phoneNumber: string) {
  const { idToken } = await signInMember(phoneNumber);
  return new DriverClient({ ...embedded, token: idToken });
}

describe("a calendar address whose sign-in has ended", () => {
  it("shows one line that says so, for a month, and goes on once another sign-in answers for it", async () => {
    const member = await newMember();
    const { calendar, address } = await make(member);
    const client = await signInAgain(member.phoneNumber);
    const { sessions } = await client.fetchJson<SessionsResponse>("GET", "/flex/v1/sessions");
    expect(sessions.map(({ isCurrent, hasCalendar }) => ({ isCurrent, hasCalendar }))).toEqual([
      { isCurrent: true, hasCalendar: false },
      { isCurrent: false, hasCalendar: true },
    ]);
    await client.call("DELETE", "/flex/v1/sessions");

    const paused = await (await embedded.fetch(address)).text();
    expect(paused).toContain("SUMMARY:Jornada: calendar paused");
    expect(paused.match(/BEGIN:VEVENT/g)).toHaveLength(1);
    expect((await client.fetchJson<CalendarResponse>("GET", PATH)).calendar?.isPaused).toBe(true);

    const resumed = await client.fetchJson<CalendarResponse>("PUT", `${PATH}/session`, {
      body: { feedId: calendar.feedId },
    });
    expect(resumed.calendar).toEqual({ ...calendar, isPaused: false });
    expect(await (await embedded.fetch(address)).text()).not.toContain("paused@");

    await client.call("DELETE", "/flex/v1/sessions");
    expect(await (await embedded.fetch(address)).text()).not.toContain("paused@");
    await callPool("ForgotPassword", { Username: member.phoneNumber });
    advanceClock(31 * DAY_MS);
    expect(await (await embedded.fetch(address)).text()).toContain("paused@");
    advanceClock(31 * DAY_MS);
    expect((await embedded.fetch(address)).status).toBe(404);
  });

  it("is not resumed under the making of somebody who renewed it", async () => {
    const member = await newMember();
    const { calendar } = await make(member);
    const thief = await signInAgain(member.phoneNumber);
    const stolen = await make({ client: thief });
    await member.client.call("DELETE", "/flex/v1/sessions");
    const answer = await member.client.fetchJson<CalendarResponse>("PUT", `${PATH}/session`, {
      body: { feedId: calendar.feedId },
    });
    expect(answer.calendar).toMatchObject({ feedId: stolen.calendar.feedId, isPaused: true });
    expect(await (await embedded.fetch(stolen.address)).text()).toContain("paused@");
  });

  it("was texted where the sign-in was new", async () => {
    const member = await newMember();
    await make({ client: await signInAgain(member.phoneNumber) });
    const to = encodeURIComponent(member.phoneNumber);
    const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${to}`);
    const { messages } = await answer.json<{ messages: { body: string }[] }>();
    expect(messages.filter(({ body }) => body.includes("calendar link was created"))).toHaveLength(1);
  });
});

describe("the blocks of a calendar", () => {
  it("are those that are held when the address is made, whatever was stored before", async () => {
    const driver = await createActiveDriver();
    const block = await capture(driver);
    await runInDurableObject(driverObject(driver), (_object, { storage }) =>
      storage.sql.exec(
        `UPDATE held_blocks SET block_id = 'blk_given_back', value = replace(value, block_id, 'blk_given_back')`,
      ),
    );
    const { address } = await make(driver);
    expect((await entriesAt(address)).map(({ uid }) => uid.split("@")[0])).toEqual([block.blockId]);
  });

  it("are written only where something changed, and counted where they moved", async () => {
    const driver = await createActiveDriver();
    const block = await capture(driver);
    const rows = () =>
      runInDurableObject(driverObject(driver), (_object, { storage }) =>
        storage.sql
          .exec<{ block_id: string; sequence: number; starts_at: number }>(
            `SELECT block_id, sequence, starts_at FROM held_blocks`,
          )
          .toArray(),
      );
    await readHeldAgain(driver);
    await readHeldAgain(driver);
    expect(await rows()).toEqual([{ block_id: block.blockId, sequence: 0, starts_at: block.startsAt }]);
  });
});
