import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { NEWEST_WON } from "../../../db/shapes/log/driver-log.ts";
import { MINUTE_MS, attemptId } from "../../../db/shapes/units.ts";
import { withCurrentStatus } from "../../../durable/driver/services/won-history.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { activeState, idOf, makeBlock, makeOffer, NOON } from "../fixtures.ts";

function open() {
  const database = new DatabaseSync(":memory:");
  const rows = (query: string) =>
    database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  return { store: openStore(database, () => NOON), database, rows };
}

it("a state with a field that can't be read is loaded without it, and the loss stored", () => {
  const { store, database, rows } = open();
  const initial = activeState({ link: { status: "unlinked" } as never });
  store.save(initial, activeState());
  expect(store.load(initial).link.status).toBe("linked");
  database.exec(`UPDATE state SET value = '"?"' WHERE key = 'link'`);
  expect(store.load(initial).link.status).not.toBe("linked");
  expect(rows(`SELECT value FROM state WHERE key = 'link'`)).not.toEqual([{ value: '"?"' }]);
});

it("the prefix of attempt ids is stored with the first attempt, and written once", () => {
  const { store, database, rows } = open();
  const begun = activeState();
  const prefixes = () => rows(`SELECT value FROM state WHERE key = 'keyPrefix'`);
  const written = () => Number(rows(`SELECT total_changes() AS changes`)[0]?.["changes"]);
  const unlinked = { ...begun, link: { status: "unlinked" } } as const;
  store.save(begun, unlinked);
  expect(prefixes()).toEqual([]);
  const attempted = { ...unlinked, attemptSeq: 1 };
  store.save(unlinked, attempted);
  const before = written();
  store.save(attempted, { ...attempted, link: begun.link });
  expect(written() - before).toBe(1);
  const stored = [{ value: JSON.stringify(begun.keyPrefix) }];
  expect(prefixes()).toEqual(stored);
  const restarted = openStore(database, () => NOON);
  const atRestart = written();
  const known = restarted.load({ ...begun, keyPrefix: "another" });
  restarted.save(known, { ...known, attemptSeq: 2 });
  expect([written() - atRestart, prefixes()]).toEqual([1, stored]);
});

it("tokens that can't be opened are set aside, where no later start finds them", () => {
  const { store, database, rows } = open();
  store.state.setTokensAside(new Error("no tokens"));
  expect(rows(`SELECT * FROM unreadable_rows`)).toEqual([]);
  store.state.write("tokens", "sealed");
  store.state.setTokensAside(new Error("sealed by another key"));
  expect([store.state.sealedTokens(), openStore(database).state.sealedTokens()]).toEqual([null, null]);
  expect(rows(`SELECT * FROM unreadable_rows`)).toHaveLength(1);
});

it("the subject of a sent text is kept under its id", () => {
  const { store } = open();
  const about = { kind: "needs_link" } as const;
  store.sentTexts.add("SM1", about, NOON);
  expect(store.sentTexts.list(NOON).map(({ id, at }) => [id, at])).toEqual([["SM1", NOON]]);
});

it("a captured block in the log has the status that it has on the platform now", () => {
  const block = makeBlock(makeOffer("a"));
  const now = { ...block, payCents: block.payCents + 500, endsAt: block.endsAt + MINUTE_MS };
  const settled = (status: string) =>
    ({ seq: 1, event: { kind: "attempt_settled", attempt: { outcome: { status, block } } } }) as never;
  const other = { seq: 2, event: { kind: "linked" } } as never;
  const [won, missed, linked] = withCurrentStatus([settled("won"), settled("missed"), other], [now]);
  expect([won, missed, linked]).toEqual([
    { seq: 1, event: { kind: "attempt_settled", attempt: { outcome: { status: "won", block: now } } } },
    settled("missed"),
    other,
  ]);
});

it("a captured block that its answer had not named is followed under the id that a listing gives it", () => {
  const { store } = open();
  const block = makeBlock(makeOffer("a"));
  const unnamed = { ...block, blockId: idOf.block(block.offerId) };
  store.wonBlocks.add({ attemptId: z.parse(attemptId, "attempt-1"), block: unnamed }, 1);
  const days = store.wonBlocks.follow([block]);
  expect(days).toHaveLength(1);
  const given = { ...block, status: "forfeited" as const };
  expect(store.wonBlocks.follow([given])).toEqual(days);
  expect(store.wonBlocks.sums()).toMatchObject([{ blocks: 1, payCents: 0 }]);
  expect(store.wonBlocks.page({ after: NEWEST_WON, limit: 9 }).map((won) => won.block)).toEqual([given]);
  const logged = { seq: 1, event: { kind: "attempt_settled", attempt: { outcome: { status: "won" } } } };
  Object.assign(logged.event.attempt.outcome, { block: unnamed });
  expect(withCurrentStatus([logged as never], [given])).toMatchObject([
    { event: { attempt: { outcome: { block: given } } } },
  ]);
});
