import { evictDurableObject, runInDurableObject, SELF } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import {
  LIVE_CLOSE_CROWDED,
  LIVE_CLOSE_RENEW,
  LIVE_PROTOCOL,
  serverMessage,
  type ServerMessage,
} from "../../../db/shapes/work/live.ts";
import { NO_LIMITS } from "../../../db/shapes/work/filters.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { acceptOnPlatform, postJson } from "../../support/sandbox-client.ts";
import {
  advanceClock,
  platformWorld,
  publishOffer,
  driverObject,
  apiTarget,
  injectFault,
  resetPlatform,
  createDriver,
  setSystemSwitch,
  runAlarm,
  createActiveDriver,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

/** An open dashboard: the messages received so far, and a way to wait for more. */
class Dashboard {
  readonly #socket: WebSocket;
  readonly #received: ServerMessage[] = [];
  #wake: () => void = () => undefined;

  /** The code with which the server closes the socket. */
  readonly closed: Promise<number>;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.accept();
    this.closed = new Promise((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
    socket.addEventListener("message", ({ data }) => {
      this.#received.push(serverMessage.parse(JSON.parse(String(data))));
      this.#wake();
    });
  }

  comeBack(): void {
    this.#socket.send(JSON.stringify({ kind: "returned" }));
  }

  resume(seq: number): void {
    this.#socket.send(JSON.stringify({ kind: "resume", seq }));
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.close(1000);
  }

  /** Waits for the first matching message. */
  async until(fits: (message: ServerMessage) => boolean): Promise<ServerMessage> {
    for (;;) {
      const found = this.#received.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  get events(): (ServerMessage & { kind: "event" })[] {
    return this.#received.filter((message) => message.kind === "event");
  }
}

async function connect(protocols: string, headers: Record<string, string> = {}): Promise<Response> {
  return SELF.fetch(`${apiTarget.origin}/flex/v1/live`, {
    headers: { upgrade: "websocket", "sec-websocket-protocol": protocols, ...headers },
  });
}

async function open(driver: TestDriver): Promise<Dashboard> {
  const { ticket } = await driver.client.ticket();
  const answer = await connect(`${LIVE_PROTOCOL}, ticket.${ticket}`);
  if (!answer.webSocket) throw new Error(`no WebSocket: ${answer.status}`);
  return new Dashboard(answer.webSocket);
}

/** Writes copies of the log's latest event. @returns the `seq` of the last event before them */
async function appendEvents(
  driver: TestDriver,
  { count, at }: { count: number; at: number },
): Promise<number> {
  return runInDurableObject(driverObject(driver), (_object, { storage: { sql } }) => {
    const { seq } = sql.exec<{ seq: number }>(`SELECT max(seq) AS seq FROM events`).one();
    sql.exec(
      `WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ?1)
       INSERT INTO events (at, value, version)
         SELECT ?2, json_set(value, '$.at', ?2), version FROM copies, events WHERE seq = ?3`,
      count,
      at,
      seq,
    );
    return seq;
  });
}

const isSnapshot = (message: ServerMessage) => message.kind === "snapshot";
const isWon = (message: ServerMessage) =>
  message.kind === "event" &&
  message.event.kind === "attempt_settled" &&
  message.event.attempt.outcome.status === "won";

describe("an open dashboard", () => {
  it("of a later release is not closed for a message that the object doesn't know", async () => {
    const driver = await createActiveDriver();
    const dashboard = await open(driver);
    dashboard.send(JSON.stringify({ kind: "looked_away", since: 1 }));
    dashboard.resume(0);
    expect((await dashboard.until(isSnapshot)).kind).toBe("snapshot");
  });

  it("is closed for a message longer than any that a page sends", async () => {
    const dashboard = await open(await createDriver());
    dashboard.send(JSON.stringify({ kind: "resume", seq: 0, and: "x".repeat(1024) }));
    expect(await Promise.race([dashboard.closed, dashboard.until(isSnapshot)])).toBe(1003);
  });

  it("gets a snapshot, then each event with a rising seq", async () => {
    const driver = await createActiveDriver();
    const dashboard = await open(driver);
    dashboard.resume(0);
    await dashboard.until(isSnapshot);
    await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    await dashboard.until(isWon);

    const seqs = dashboard.events.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
    expect(dashboard.events.map(({ event }) => event.kind)).toEqual(
      expect.arrayContaining(["offer_judged", "attempt_started", "attempt_settled"]),
    );
  });

  it("is told what is used of the limits as soon as an attempt counts, whose answer is lost", async () => {
    const driver = await createActiveDriver();
    const { filters } = await driver.client.filters();
    await driver.client.saveFilters({ ...filters, limits: { ...NO_LIMITS, minutesPerWeek: 2400 } });
    const dashboard = await open(driver);
    const isUsed = (minutes: number) => (message: ServerMessage) =>
      message.kind === "changed" &&
      message.snapshot.usedLimits?.some(
        ({ limit, used }) => limit === "minutesPerWeek" && used === minutes,
      ) === true;
    // The first run reads the blocks.
    await runAlarm(driver);
    await dashboard.until(isUsed(0));
    await injectFault({ operation: "acceptOffer", fault: "lost_answer", times: 1 });
    await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    const changed = await dashboard.until(isUsed(180));
    expect(changed.kind === "changed" && changed.snapshot.held).toEqual([]);
  });

  it("misses no events after a reconnect, even across an eviction", async () => {
    const driver = await createActiveDriver();
    const { seq } = await driverObject(driver).snapshot();
    await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    await evictDurableObject(driverObject(driver));
    const dashboard = await open(driver);
    dashboard.resume(seq);
    await dashboard.until((message) => message.kind === "changed");

    const last = (await driverObject(driver).snapshot()).seq;
    expect(dashboard.events.map((event) => event.seq)).toEqual(
      Array.from({ length: last - seq }, (_, index) => seq + 1 + index),
    );
  });

  it("gets a snapshot if its last seq is from a log that no longer exists", async () => {
    const driver = await createActiveDriver();
    const dashboard = await open(driver);
    dashboard.resume(100_000);
    expect((await dashboard.until(isSnapshot)).kind).toBe("snapshot");
  });

  it.each([
    { missed: 500, agoMs: DAY_MS - HOUR_MS, replayed: 500 },
    { missed: 501, agoMs: 0, replayed: 0 },
    { missed: 1, agoMs: DAY_MS + HOUR_MS, replayed: 0 },
  ])("replays $replayed of $missed missed events, $agoMs ms old", async ({ missed, agoMs, replayed }) => {
    const driver = await createActiveDriver();
    await setSystemSwitch(driver, false);
    const seq = await appendEvents(driver, { count: missed, at: Date.now() - agoMs });
    const dashboard = await open(driver);
    dashboard.resume(seq);
    const answer = await dashboard.until(({ kind }) => kind === "changed" || kind === "snapshot");
    expect(answer.kind).toBe(replayed > 0 ? "changed" : "snapshot");
    expect(dashboard.events).toHaveLength(replayed);
  });

  it("is closed after an hour by what happens next, to come back with a fresh ticket", async () => {
    const driver = await createActiveDriver();
    const dashboard = await open(driver);
    dashboard.resume(0);
    await dashboard.until(isSnapshot);
    advanceClock(HOUR_MS);
    await publishOffer(driver.warehouseIds[0]!);
    await runAlarm(driver);
    expect(await dashboard.closed).toBe(LIVE_CLOSE_RENEW);
    expect(dashboard.events).toEqual([]);
  });

  it("is updated when another tab uses the switch", async () => {
    const driver = await createActiveDriver();
    const dashboard = await open(driver);
    dashboard.resume(0);
    await dashboard.until(isSnapshot);
    await setSystemSwitch(driver, false);
    const received = await dashboard.until(
      (message) => message.kind === "changed" && message.snapshot.phase.kind === "off",
    );
    expect(received.kind).toBe("changed");
  });
});

it("looks for a selfie that was taken as soon as its driver comes back to the dashboard", async () => {
  const driver = await createActiveDriver();
  const { drivers } = await platformWorld(apiTarget);
  const platformDriver = drivers.find(({ email }) => email === driver.email);
  const requireSelfie = (required: boolean) =>
    postJson(apiTarget, `/sandbox/platform/drivers/${platformDriver?.driverId}/verification`, { required });
  await requireSelfie(true);
  await runAlarm(driver);
  const dashboard = await open(driver);
  dashboard.resume(0);
  await dashboard.until(isSnapshot);
  expect((await driverObject(driver).snapshot()).phase.kind).toBe("verification_required");

  await requireSelfie(false);
  advanceClock(2000);
  dashboard.comeBack();
  const changed = await dashboard.until(
    (message) => message.kind === "event" && message.event.kind === "phase_changed",
  );
  expect(changed).toMatchObject({ event: { phase: { kind: "polling" } } });
});

it("tells at once of the driver's blocks when they come back while a limit is reached", async () => {
  const driver = await createActiveDriver();
  const { filters } = await driver.client.filters();
  await driver.client.saveFilters({ ...filters, limits: { ...NO_LIMITS, minutesPerWeek: 30 } });
  await runAlarm(driver);
  await expect.poll(async () => (await driverObject(driver).snapshot()).phase.kind).toBe("limit_reached");
  const dashboard = await open(driver);
  dashboard.resume(0);
  await dashboard.until(isSnapshot);
  await acceptOnPlatform(apiTarget, driver.email, { warehouseId: driver.warehouseIds[0]!, inMinutes: 120 });
  advanceClock(31_000);
  dashboard.comeBack();
  const changed = await dashboard.until(({ kind }) => kind === "changed");
  expect(changed.kind === "changed" && changed.snapshot.held).toHaveLength(1);
});

it("gives a driver ten sockets: one more closes the oldest, and the newest go on", async () => {
  const driver = await createDriver();
  const dashboards: Dashboard[] = [];
  for (let count = 0; count < 11; count += 1) {
    dashboards.push(await open(driver));
    advanceClock(1);
  }
  expect(await dashboards[0]!.closed).toBe(LIVE_CLOSE_CROWDED);
  for (const dashboard of dashboards.slice(1)) {
    dashboard.resume(0);
    expect((await dashboard.until(isSnapshot)).kind).toBe("snapshot");
    dashboard.close();
  }
});

describe("a ticket", () => {
  it("opens no socket for a page of another origin, and one for a client without a page", async () => {
    const { client } = await createDriver();
    const ticketFor = async () => `${LIVE_PROTOCOL}, ticket.${(await client.ticket()).ticket}`;
    const foreign = await connect(await ticketFor(), { origin: "https://elsewhere.example" });
    expect([foreign.status, (await foreign.json<{ code: string }>()).code]).toEqual([403, "forbidden"]);
    for (const headers of [{ origin: apiTarget.origin }, undefined]) {
      const own = await connect(await ticketFor(), headers);
      expect(own.status).toBe(101);
      own.webSocket?.accept();
      own.webSocket?.close(1000);
    }
  });

  it("opens only one socket", async () => {
    const { client } = await createDriver();
    const { ticket } = await client.ticket();
    const first = await connect(`${LIVE_PROTOCOL}, ticket.${ticket}`);
    const second = await connect(`${LIVE_PROTOCOL}, ticket.${ticket}`);
    first.webSocket?.accept();
    first.webSocket?.close(1000);
    expect([first.status, second.status]).toEqual([101, 401]);
    expect(first.headers.get("sec-websocket-protocol")).toBe(LIVE_PROTOCOL);
  });

  it.each([
    ["a missing ticket", LIVE_PROTOCOL],
    ["a forged ticket", `${LIVE_PROTOCOL}, ticket.e30.e30.e30`],
    ["another protocol", "chat, ticket.x"],
  ])("is required: %s is rejected", async (_name, protocols) => {
    const answer = await connect(protocols);
    expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([401, "ticket_invalid"]);
  });

  it("can't be used as an id token, nor an id token as a ticket", async () => {
    const driver = await createDriver();
    const { ticket } = await driver.client.ticket();
    const asToken = await SELF.fetch(`${apiTarget.origin}/flex/v1/user`, {
      headers: { authorization: `Bearer ${ticket}` },
    });
    const asTicket = await connect(`${LIVE_PROTOCOL}, ticket.${driver.token}`);
    expect([asToken.status, asTicket.status]).toEqual([401, 401]);
  });
});
