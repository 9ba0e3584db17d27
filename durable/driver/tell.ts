import type { Config } from "../config.ts";
import type { DriverState, Notice } from "../engine/types.ts";
import type { EpochMs } from "../engine/units.ts";
import type { Identity } from "./stored.ts";
import type { Store } from "./store.ts";
import { waysFor } from "./ways.ts";
import { browserWordsFor, wordsFor } from "./words.ts";

/** Puts into the outbox what a notice becomes: one text, and one message for each browser that listens, at most. */
export function tellDriver(
  notice: Notice,
  {
    owner,
    state,
    store,
    config: { productName, publicUrl, vapid },
    now,
  }: { owner: Identity; state: DriverState; store: Store; config: Config; now: EpochMs },
): void {
  const { language, timeZone, notifications } = owner;
  const ways = waysFor(notice, { settings: notifications, now, timeZone });
  const words = { language, timeZone, state, productName, publicUrl };
  if (ways.text) store.outbox.add({ kind: "text", words: wordsFor(notice, words) }, now);
  if (!ways.push || !vapid) return;
  const message = browserWordsFor(notice, words);
  for (const { endpoint } of store.browsers.list())
    store.outbox.add({ kind: "push", endpoint, message }, now);
}
