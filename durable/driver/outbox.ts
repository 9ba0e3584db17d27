import type { Db } from "../../db/client.ts";
import { insertBlockWon } from "../../db/queries/blocks.ts";
import { changeDriver } from "../../db/queries/drivers.ts";
import type { EpochMs } from "../engine/units.ts";
import { errorName, type Log } from "../log.ts";
import type { Sms } from "../sms/sms.ts";
import type { Identity, OutboxItem } from "./stored.ts";
import type { OutboxRow, Store } from "./store.ts";

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;
const TEXT_TRIES = 3;

type Outside = { store: Store; db: Db; sms: Sms | null; log: Log; now: () => EpochMs };

/** Sends what is due: D1's copies at least once, each text at most once. Never throws. */
export async function flushOutbox(owner: Identity, outside: Outside): Promise<void> {
  for (const row of outside.store.outboxDue(outside.now())) {
    if (row.item.kind === "text") await sendText(row, row.item.words, owner, outside);
    else await copyToD1(row, row.item, owner, outside);
  }
}

type Copy = Exclude<OutboxItem, { kind: "text" }>;

async function copyToD1(
  row: OutboxRow,
  copy: Copy,
  owner: Identity,
  { store, db, log, now }: Outside,
): Promise<void> {
  try {
    if (copy.kind === "block_won") await insertBlockWon(db, owner.driverId, copy);
    else await changeDriver(db, owner.driverId, copy.change);
    store.outboxDone(row.id);
  } catch (error) {
    log("warn", "outbox.copy.failed", {
      driverId: owner.driverId,
      error: errorName(error),
      tries: row.tries,
    });
    store.outboxAgain(row.id, now() + waitAfter(row.tries));
  }
}

/** The row is gone before the text leaves: a crash in between loses it, but nobody is told twice. */
async function sendText(
  row: OutboxRow,
  words: string,
  owner: Identity,
  { store, sms, log, now }: Outside,
): Promise<void> {
  store.outboxDone(row.id);
  if (!sms) return;
  const answer = await sms.sendText({ to: owner.phoneNumber, body: words });
  if (answer.kind === "sent") return;
  log("warn", "outbox.text.failed", {
    driverId: owner.driverId,
    retryable: answer.retryable,
    tries: row.tries,
  });
  if (answer.retryable && row.tries + 1 < TEXT_TRIES) {
    store.enqueue({ kind: "text", words }, now() + waitAfter(row.tries), row.tries + 1);
  }
}

function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
}
