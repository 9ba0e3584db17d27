import { evictDurableObject, SELF } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { LIVE_PROTOCOL, serverMessage, type ServerMessage } from "../../db/shapes/live.ts";
import {
  publishOffer,
  driverObject,
  apiTarget,
  resetPlatform,
  createDriver,
  setSystemSwitch,
  runAlarm,
  createActiveDriver,
  type TestDriver,
} from "./harness.ts";

beforeEach(() => resetPlatform());

/** An open dashboard: what it was told so far, and a way to wait for more. */
class Dashboard {
  readonly #socket: WebSocket;
  readonly #told: ServerMessage[] = [];
  #wake: () => void = () => undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.accept();
    socket.addEventListener("message", ({ data }) => {
      this.#told.push(serverMessage.parse(JSON.parse(String(data))));
      this.#wake();
    });
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

  /** The first message that fits, however long it takes to come. */
  async until(fits: (message: ServerMessage) => boolean): Promise<ServerMessage> {
    for (;;) {
      const found = this.#told.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  get events(): (ServerMessage & { kind: "event" })[] {
    return this.#told.filter((message) => message.kind === "event");
  }
}

async function knock(protocols: string): Promise<Response> {
  return SELF.fetch(`${apiTarget.origin}/flex/v1/live`, {
    headers: { upgrade: "websocket", "sec-websocket-protocol": protocols },
  });
}

async function open(driver: TestDriver): Promise<Dashboard> {
  const { ticket } = await driver.client.ticket();
  const answer = await knock(`${LIVE_PROTOCOL}, ticket.${ticket}`);
  if (!answer.webSocket) throw new Error(`no socket: ${answer.status}`);
  return new Dashboard(answer.webSocket);
}

const isSnapshot = (message: ServerMessage) => message.kind === "snapshot";
const isWon = (message: ServerMessage) =>
  message.kind === "event" &&
  message.event.kind === "attempt_settled" &&
  message.event.attempt.outcome.status === "won";

describe("an open dashboard", () => {
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

  it("misses nothing that happened while it was away, also across an eviction", async () => {
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

  it("gets a snapshot where its last seq is of a log that is gone", async () => {
    const driver = await createActiveDriver();
    const dashboard = await open(driver);
    dashboard.resume(100_000);
    expect((await dashboard.until(isSnapshot)).kind).toBe("snapshot");
  });

  it("hears of the switch that another tab threw", async () => {
    const driver = await createActiveDriver();
    const dashboard = await open(driver);
    dashboard.resume(0);
    await dashboard.until(isSnapshot);
    await setSystemSwitch(driver, false);
    const told = await dashboard.until(
      (message) => message.kind === "changed" && message.snapshot.phase.kind === "off",
    );
    expect(told.kind).toBe("changed");
  });
});

describe("a ticket", () => {
  it("opens one socket and no second", async () => {
    const { client } = await createDriver();
    const { ticket } = await client.ticket();
    const first = await knock(`${LIVE_PROTOCOL}, ticket.${ticket}`);
    const second = await knock(`${LIVE_PROTOCOL}, ticket.${ticket}`);
    first.webSocket?.accept();
    first.webSocket?.close(1000);
    expect([first.status, second.status]).toEqual([101, 401]);
    expect(first.headers.get("sec-websocket-protocol")).toBe(LIVE_PROTOCOL);
  });

  it.each([
    ["none", LIVE_PROTOCOL],
    ["a made-up one", `${LIVE_PROTOCOL}, ticket.e30.e30.e30`],
    ["another protocol", "chat, ticket.x"],
  ])("is needed: %s is refused", async (_name, protocols) => {
    const answer = await knock(protocols);
    expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([401, "ticket_invalid"]);
  });

  it("is no id token, and an id token is no ticket", async () => {
    const driver = await createDriver();
    const { ticket } = await driver.client.ticket();
    const asToken = await SELF.fetch(`${apiTarget.origin}/flex/v1/user`, {
      headers: { authorization: `Bearer ${ticket}` },
    });
    const asTicket = await knock(`${LIVE_PROTOCOL}, ticket.${driver.token}`);
    expect([asToken.status, asTicket.status]).toEqual([401, 401]);
  });
});
