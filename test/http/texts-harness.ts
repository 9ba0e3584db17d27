import { vi } from "vitest";
import { loadAlerts } from "../../db/queries/fleet/alerts.ts";
import { loadTextDelivery } from "../../db/queries/texts/delivery.ts";
import { createDeps } from "../../durable/deps.ts";
import type { Log } from "../../durable/runtime/log.ts";
import type { SmsResult } from "../../durable/messaging/sms.ts";
import { createTextDoor } from "../../durable/texts/text-door.ts";
import { takeReply, takeReport } from "../../worker/texts/gateway.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

export const NOW = Date.parse("2026-11-21T12:00:00Z");

/** Texts over a database in memory and a gateway that answers what a test wants; `settings` as of the deployment. */
export function openTexts(settings: Record<string, unknown> = {}) {
  const database = migratedDatabase();
  const clock = { now: NOW };
  const gateway: { result: SmsResult; asked: { to: string; body: string; reportTo: string | null }[] } = {
    result: { kind: "sent", id: null },
    asked: [],
  };
  const broken = { isBroken: (_query: string) => false };
  const d1 = bindD1(database);
  const batch: typeof d1.batch = async (statements) => {
    if (statements.some(({ prepared }) => broken.isBroken(prepared.query))) throw new Error("no database");
    return d1.batch(statements);
  };
  const prepare: typeof d1.prepare = (query) => {
    if (broken.isBroken(query) && !query.startsWith("select")) throw new Error("no database");
    return d1.prepare(query);
  };
  const log = vi.fn<Log>();
  const env = { ...DEMO_SETTINGS, ...settings, DB: { ...d1, batch, prepare }, DRIVER: {}, ASSETS: {} };
  const base = { ...createDeps(env), now: () => clock.now, log };
  const sms = {
    sendText: async (text: (typeof gateway.asked)[number]) => {
      gateway.asked.push(text);
      return gateway.result;
    },
  };
  const { config, db } = base;
  const texts = createTextDoor({ ...config.texts, publicUrl: "", sms, db, now: base.now, log });
  const deps = { ...base, texts };
  const rows = (query: string) => database.prepare(query).all();
  return {
    broken,
    clock,
    database,
    deps,
    gateway,
    log,
    rows,
    delivery: (number: string) => loadTextDelivery(db, number, clock.now),
    alerts: async () =>
      Object.fromEntries((await loadAlerts(db, clock.now)).map(({ name, reason }) => [name, reason])),
    /** Sends a text that a driver asked to hear of; the gateway reports of it. */
    async sendReported(to: string, status: string, code?: number): Promise<void> {
      await texts.sendText({ to, body: "Hi", account: "a" });
      const id = gateway.asked.at(-1)?.reportTo?.split("=")[1] ?? "";
      await takeReport(deps, id, {
        MessageStatus: status,
        ...(code === undefined ? {} : { ErrorCode: String(code) }),
      });
    },
    reply: (from: string, word: string, id: string = crypto.randomUUID()) =>
      takeReply(deps, { MessageSid: id, From: from, Body: word }),
  };
}
