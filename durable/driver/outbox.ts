import type { Db } from "../../db/client.ts";
import { insertBlockWon } from "../../db/queries/blocks.ts";
import { changeDriver } from "../../db/queries/drivers.ts";
import type { DurationMs, EpochMs } from "../engine/units.ts";
import { errorName, type Log } from "../log.ts";
import type { Push } from "../push/push.ts";
import type { Sms } from "../sms/sms.ts";
import type { Identity, OutboxItem } from "./stored.ts";
import type { Store } from "./store.ts";
import type { OutboxRow } from "./tables/outbox.ts";

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;
const TEXT_TRIES = 3;
const PUSH_TRIES = 4;

type Outside = { store: Store; db: Db; sms: Sms | null; push: Push | null; log: Log; now: () => EpochMs };

/** Sends what is due: D1's copies at least once, each text and each push at most once. Never throws. */
export async function flushOutbox(owner: Identity, outside: Outside): Promise<void> {
  // A push service that is slow holds up neither the others nor D1.
  const pushes: Promise<void>[] = [];
  for (const row of outside.store.outbox.due(outside.now())) {
    if (row.item.kind === "push") pushes.push(sendPush(row, row.item, owner, outside));
    else if (row.item.kind === "text") await sendText(row, row.item.words, owner, outside);
    else await copyToD1(row, row.item, owner, outside);
  }
  await Promise.all(pushes);
}

type Copy = Exclude<OutboxItem, { kind: "text" | "push" }>;

async function copyToD1(
  row: OutboxRow,
  copy: Copy,
  owner: Identity,
  { store, db, log, now }: Outside,
): Promise<void> {
  try {
    if (copy.kind === "block_won") await insertBlockWon(db, owner.driverId, copy);
    else await changeDriver(db, owner.driverId, copy.change);
    store.outbox.done(row.id);
  } catch (error) {
    log("warn", "outbox.copy.failed", {
      driverId: owner.driverId,
      error: errorName(error),
      tries: row.tries,
    });
    store.outbox.again(row.id, now() + waitAfter(row.tries));
  }
}

/** The row is gone before the text leaves: a crash in between loses it, but nobody is told twice. */
async function sendText(
  row: OutboxRow,
  words: string,
  owner: Identity,
  { store, sms, log, now }: Outside,
): Promise<void> {
  store.outbox.done(row.id);
  if (!sms) return;
  const answer = await sms.sendText({ to: owner.phoneNumber, body: words });
  if (answer.kind === "sent") return;
  log("warn", "outbox.text.failed", {
    driverId: owner.driverId,
    retryable: answer.retryable,
    tries: row.tries,
  });
  if (answer.retryable && row.tries + 1 < TEXT_TRIES) {
    store.outbox.add({ kind: "text", words }, now() + waitAfter(row.tries), row.tries + 1);
  }
}

/** As a text; and a browser that listens no more is forgotten. */
async function sendPush(
  row: OutboxRow,
  item: Extract<OutboxItem, { kind: "push" }>,
  owner: Identity,
  { store, push, log, now }: Outside,
): Promise<void> {
  store.outbox.done(row.id);
  const browser = store.browsers.find(item.endpoint);
  if (!push || !browser) return;
  const answer = await push.sendMessage(item.message, browser);
  if (answer.kind === "sent") return;
  if (answer.kind === "gone") return store.browsers.drop(item.endpoint);
  const { retryable, waitMs } = answer;
  log("warn", "outbox.push.failed", { driverId: owner.driverId, retryable, tries: row.tries });
  if (!retryable || row.tries + 1 >= PUSH_TRIES) return;
  store.outbox.add(item, now() + Math.max(waitMs, waitAfter(row.tries)), row.tries + 1);
}

function waitAfter(tries: number): DurationMs {
  return Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
}
