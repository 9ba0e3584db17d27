import { beforeEach, describe, expect, it } from "vitest";
import { createTextDoor } from "../../durable/texts/text-door.ts";
import { createPhoneCodes } from "../../worker/identity/accounts/phone-codes.ts";
import { NOW, openPool, OWNER, type Pool } from "./pool-harness.ts";

const PHONE = "+13125550123";
const AMPLE = { perHour: 100, perDay: 1000 };
const TEXT_LIMITS = {
  perNumber: AMPLE,
  perAccount: AMPLE,
  perNetwork: AMPLE,
  toNewNumbers: AMPLE,
  toProvedNumbers: AMPLE,
  toDrivers: AMPLE,
  toInvitedNumbers: AMPLE,
};

let at: Pool;
let bodies: string[];
beforeEach(() => {
  at = openPool();
  bodies = [];
});

describe("a code and the count of its text", () => {
  const codes = (perAccount = TEXT_LIMITS.perAccount) => {
    const { db, now, log, publicUrl } = at.deps;
    const sms = {
      sendText: async ({ body }: { body: string }) => {
        bodies.push(body);
        return { kind: "sent", id: null } as const;
      },
    };
    const limits = { ...TEXT_LIMITS, perAccount };
    const texts = createTextDoor({ sms, db, now, log, publicUrl, limits, countries: ["US"] });
    return createPhoneCodes({ ...at.deps, texts });
  };
  const send = (own = codes()) =>
    own.send({ driverId: OWNER, to: PHONE, language: "en", address: "192.0.2.1" });
  const counts = () => at.rows(`SELECT key, sent FROM text_counts ORDER BY key`);
  const check = async (body: string | undefined) => {
    const code = body?.split(" ")[1] ?? "";
    const attempt = await codes().takeTry(OWNER, null);
    return (await codes().check({ driverId: OWNER, to: PHONE, code, attempt })).check;
  };

  it("are of one of two requests at once, where one may be sent", async () => {
    const own = codes({ perHour: 1, perDay: 1 });
    expect((await Promise.all([send(own), send(own)])).toSorted()).toEqual(["limit", "sent"]);
    expect(bodies).toHaveLength(1);
    expect(await check(bodies[0])).toBe("right");
    expect(new Set(counts().map(({ sent }) => sent))).toEqual(new Set([1]));
    expect(at.rows(`SELECT account FROM sent_texts`)).toEqual([{ account: OWNER }]);
  });

  it("keep the code from before, and store nothing, where none may be sent", async () => {
    await send();
    const before = [counts(), at.rows(`SELECT * FROM pool_codes`), at.rows(`SELECT * FROM sent_texts`)];
    const now = () => [counts(), at.rows(`SELECT * FROM pool_codes`), at.rows(`SELECT * FROM sent_texts`)];
    expect(await send(codes({ perHour: 1, perDay: 10 }))).toBe("limit");
    expect(now()).toEqual(before);
    expect(await send(codes({ perHour: 0, perDay: 0 }))).toBe("limit");
    expect(now()).toEqual(before);
    at.run(`INSERT INTO text_replies (id, phone_number, word, at) VALUES ('s', ?, 'stop', ?)`, PHONE, NOW);
    expect(await send()).toBe("stopped");
    expect(now()).toEqual(before);
    expect(bodies).toHaveLength(1);
    expect(await check(bodies[0])).toBe("right");
  });

  it("store nothing of a code that comes too soon after others", async () => {
    expect([await send(), await send()]).toEqual(["sent", "sent"]);
    const before = counts();
    expect(await send()).toBe("limit");
    expect(counts()).toEqual(before);
    expect(at.rows(`SELECT id FROM sent_texts`)).toHaveLength(2);
    expect([await check(bodies[1]), bodies.length]).toEqual(["right", 2]);
  });
});
