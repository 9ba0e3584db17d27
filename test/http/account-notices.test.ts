import { expect, it } from "vitest";
import { noteAccountChange } from "../../db/queries/accounts/account-changes.ts";
import { driverId, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import type { TextResult } from "../../durable/texts/text-door.ts";
import { followAccount, followLeftChanges } from "../../worker/accounts/account-changes.ts";
import { notifyOfChanges } from "../../worker/accounts/account-notices.ts";
import { createCheckoutContext } from "../../worker/payments/checkout.ts";
import { NOW, openTexts } from "./texts-harness.ts";

const OWNER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const NUMBER = "+12125550100";

/** An account whose password was changed, before any text to its owner. */
function openChange(settings: Record<string, unknown> = {}) {
  const texts = openTexts(settings);
  texts.database
    .prepare(
      `INSERT INTO pool_notices (id, user_id, kind, phone_number, language, changed_at, expires_at)
       VALUES ('n', ?, 'password', ?, 'en', ?, ?)`,
    )
    .run(OWNER, NUMBER, NOW, NOW + 7 * 24 * HOUR_MS);
  return { ...texts, told: () => texts.rows("SELECT told_at, token_hash FROM pool_notices") };
}

it("tells the owner of an account what was changed while the ceiling of drivers' texts is reached", async () => {
  const { deps, gateway } = openChange({ TEXTS_TO_DRIVERS: "0/0" });
  expect((await deps.texts.sendText({ to: NUMBER, body: "A block", account: OWNER })).kind).toBe("held");
  expect(await notifyOfChanges(deps, OWNER)).toBe(true);
  expect(gateway.asked).toMatchObject([{ to: NUMBER, body: expect.stringContaining("undo#") }]);
});

it.each<[TextResult, number, boolean]>([
  [{ kind: "held", reason: "ceiling" }, 0, false],
  [{ kind: "held", reason: "ceiling" }, HOUR_MS, true],
  [{ kind: "held", reason: "stopped" }, 0, true],
  [{ kind: "held", reason: "country" }, 0, true],
  [{ kind: "failed", reason: "busy", retryable: true }, 0, false],
  [{ kind: "failed", reason: "timeout", retryable: false }, 0, true],
])("gives up telling only what can't be sent later: %o after %i ms", async (result, lateMs, isOver) => {
  const { deps, clock, told, log } = openChange();
  clock.now += lateMs;
  const texts = { ...deps.texts, sendNotice: async () => result };
  expect(await notifyOfChanges({ ...deps, texts }, OWNER)).toBe(isOver);
  expect(told()).toEqual([
    isOver ? { told_at: clock.now, token_hash: expect.any(String) } : { told_at: null, token_hash: null },
  ]);
  const { reason } = { reason: null, ...result };
  const failed = ["error", "account.notice.failed", { driverId: OWNER, kind: "password", reason }];
  expect(log.mock.calls).toEqual(isOver ? [failed] : []);
});

it("tells later what can't be sent now, though another change was followed to its end meanwhile", async () => {
  const { deps, clock, told, rows } = openChange();
  const note = () => noteAccountChange(deps.db, { userId: OWNER, now: clock.now });
  const follow = (texts: typeof deps.texts) =>
    followAccount(createCheckoutContext({ deps: { ...deps, texts }, db: deps.db }), OWNER);
  await note();
  const sendNotice: typeof deps.texts.sendNotice = async () => {
    await note();
    await follow(deps.texts);
    return { kind: "failed", reason: "busy", retryable: true };
  };
  await follow({ ...deps.texts, sendNotice });
  expect(told()).toEqual([{ told_at: null, token_hash: null }]);
  clock.now += 2 * MINUTE_MS;
  await followLeftChanges(createCheckoutContext({ deps, db: deps.db }));
  expect(told()).toEqual([{ told_at: clock.now, token_hash: expect.any(String) }]);
  expect(rows("SELECT * FROM account_changes")).toEqual([]);
});
