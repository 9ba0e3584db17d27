import type { Db } from "../../db/client.ts";
import { insertBlockWon } from "../../db/queries/blocks-won.ts";
import { updateDriver } from "../../db/queries/drivers.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { Log } from "../runtime/log.ts";
import type { Push } from "../push/push.ts";
import type { Sms } from "../sms/sms.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { OutboxItem } from "./storage/stored-shapes.ts";
import type { Store } from "./storage/store.ts";
import type { OutboxRow } from "./storage/tables/outbox.ts";

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 300_000;
const MAX_TEXT_TRIES = 3;
const MAX_PUSH_TRIES = 4;

type OutboxDeps = { store: Store; db: Db; sms: Sms | null; push: Push | null; log: Log; now: () => EpochMs };

/** Sends the due rows: copies to D1 at least once, each text and each push at most once. Never throws. */
export async function flushOutbox(owner: DriverOwner, deps: OutboxDeps): Promise<void> {
  // Not awaited one by one, so that a slow push service delays neither the others nor D1.
  const pushes: Promise<void>[] = [];
  for (const row of deps.store.outbox.due(deps.now())) {
    if (row.item.kind === "push") pushes.push(sendPush(row, row.item, owner, deps));
    else if (row.item.kind === "text") await sendText(row, row.item.body, owner, deps);
    else await copyToD1(row, row.item, owner, deps);
  }
  await Promise.all(pushes);
}

type D1Copy = Exclude<OutboxItem, { kind: "text" | "push" }>;

async function copyToD1(
  row: OutboxRow,
  copy: D1Copy,
  owner: DriverOwner,
  { store, db, log, now }: OutboxDeps,
): Promise<void> {
  try {
    if (copy.kind === "block_won") await insertBlockWon(db, owner.driverId, copy);
    else await updateDriver(db, owner.driverId, copy.change);
    store.outbox.remove(row.id);
  } catch (error) {
    log("warn", "outbox.copy.failed", {
      driverId: owner.driverId,
      ...describeError(error),
      tries: row.tries,
    });
    store.outbox.retry(row.id, now() + retryDelayMs(row.tries));
  }
}

/** Deletes the row before sending: a crash in between loses the text, but nobody gets it twice. */
async function sendText(
  row: OutboxRow,
  body: string,
  owner: DriverOwner,
  { store, sms, log, now }: OutboxDeps,
): Promise<void> {
  store.outbox.remove(row.id);
  if (!sms) return;
  const result = await sms.sendText({ to: owner.phoneNumber, body: body });
  if (result.kind === "sent") return;
  log("warn", "outbox.text.failed", {
    driverId: owner.driverId,
    retryable: result.retryable,
    tries: row.tries,
  });
  if (result.retryable && row.tries + 1 < MAX_TEXT_TRIES) {
    store.outbox.add({ kind: "text", body }, now() + retryDelayMs(row.tries), row.tries + 1);
  }
}

/** At most once, like a text. Deletes the subscription if it has ended. */
async function sendPush(
  row: OutboxRow,
  item: Extract<OutboxItem, { kind: "push" }>,
  owner: DriverOwner,
  { store, push, log, now }: OutboxDeps,
): Promise<void> {
  store.outbox.remove(row.id);
  const subscription = store.pushSubscriptions.find(item.endpoint);
  if (!push || !subscription) return;
  const result = await push.sendMessage(item.message, subscription);
  if (result.kind === "sent") return;
  if (result.kind === "gone") return store.pushSubscriptions.remove(item.endpoint);
  const { retryable, retryAfterMs } = result;
  log("warn", "outbox.push.failed", { driverId: owner.driverId, retryable, tries: row.tries });
  if (!retryable || row.tries + 1 >= MAX_PUSH_TRIES) return;
  store.outbox.add(item, now() + Math.max(retryAfterMs, retryDelayMs(row.tries)), row.tries + 1);
}

function retryDelayMs(tries: number): DurationMs {
  return Math.min(FIRST_RETRY_MS * 2 ** tries, MAX_RETRY_MS);
}
