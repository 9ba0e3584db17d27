import { describe, expect, it } from "vitest";
import { loadOrCreateCustomer } from "../../worker/payments/checkout.ts";
import { DAY_MS, DRIVER, losePath, NOW, open, openCheckout, refuse } from "./checkout-harness.ts";
import { prepare, statuses } from "./prepare-harness.ts";

/** The key that all calls of a day share which make the driver's first customer. */
const OF_DAY = `customer:${DRIVER}:${Math.floor(NOW / DAY_MS)}`;

describe("the driver's customer", () => {
  /** A bank that answers a key as it did before, as Stripe does. */
  function withIdempotency(at: ReturnType<typeof open>) {
    const made = new Map<string, Promise<string>>();
    const { createCustomer } = at.bank.processor;
    at.bank.processor.createCustomer = (driver, key) => {
      const known = made.get(key) ?? createCustomer(driver, key);
      made.set(key, known);
      return known;
    };
    return made;
  }
  const customerOf = async (at: ReturnType<typeof open>, key: string) =>
    loadOrCreateCustomer(at.checkout, await at.driver(), key);

  it("is one, however many calls make the first at once", async () => {
    const at = open();
    const made = withIdempotency(at);
    const ids = await Promise.all(["a", "b", "c", "d"].map((key) => customerOf(at, key)));
    expect(new Set(ids)).toEqual(new Set(["cus_1"]));
    expect([...made.keys()]).toEqual([OF_DAY]);
    expect(at.rows(`SELECT customer_id FROM stripe_customers`)).toEqual([{ customer_id: "cus_1" }]);
    expect(at.bank.count("deleteCustomer")).toBe(0);
  });

  it("is the one that was stored first where two days meet, and the other is deleted", async () => {
    const at = open();
    const { createCustomer } = at.bank.processor;
    at.bank.processor.createCustomer = async (driver, key) => {
      at.bank.processor.createCustomer = createCustomer;
      const slowId = await createCustomer(driver, key);
      at.clock.now += DAY_MS;
      expect(await customerOf(at, "fast")).toBe("cus_2");
      return slowId;
    };
    expect(await customerOf(at, "slow")).toBe("cus_2");
    expect(at.bank.asked.filter(([name]) => name === "deleteCustomer")).toEqual([
      ["deleteCustomer", "cus_1"],
    ]);
  });

  it.each([
    ["has a failure stored under it", losePath({ isReplayed: true })],
    ["was used with another name", refuse()],
  ])("is made under the call's own key where the day's %s", async (_name, failure) => {
    const at = open();
    at.bank.during("createCustomer", failure);
    expect(await customerOf(at, "own")).toMatch(/^cus_/);
    expect(at.bank.asked.map(([, , key]) => key)).toEqual([OF_DAY, "own"]);
  });

  it("is none where the bank can't be reached", async () => {
    const at = open();
    at.bank.during("createCustomer", losePath());
    await expect(customerOf(at, "own")).rejects.toMatchObject({ kind: "unreachable" });
    expect(at.bank.count("createCustomer")).toBe(1);
    expect(at.rows(`SELECT * FROM stripe_customers`)).toEqual([]);
  });

  it("doesn't outlive an account that is deleted while it is made, stored or replaced", async () => {
    const leave = (at: ReturnType<typeof open>) => () => at.run(`DELETE FROM users WHERE id = ?`, DRIVER);
    const calls: ((at: ReturnType<typeof open>) => Promise<unknown>)[] = [
      async (at) => {
        at.bank.during("createCustomer", leave(at));
        await customerOf(at, "own");
      },
      async (at) => {
        at.bank.during("createIntent", leave(at));
        await prepare(at);
      },
      async (at) => {
        at.bank.during("createIntent", refuse({ missing: "customer" }));
        at.bank.during("createCustomer", () => {}, leave(at));
        await prepare(at);
      },
    ];
    for (const call of calls) {
      const at = open();
      await call(at).catch(() => {});
      const made = at.bank.count("createCustomer");
      const deleted = at.bank.asked.filter(([name]) => name === "deleteCustomer").map(([, id]) => id);
      expect(at.rows(`SELECT customer_id FROM stripe_customers`).map((row) => row["customer_id"])).toEqual(
        made === 2 ? ["cus_1"] : [],
      );
      expect(deleted).toHaveLength(1);
      expect([...at.bank.intents.values()].filter(({ status }) => status === "open")).toEqual([]);
    }
  });
});

describe("a requested intent", () => {
  it("without a reply is requested again under the same payment", async () => {
    const at = open();
    at.bank.during("createIntent", losePath());
    await expect(prepare(at)).rejects.toMatchObject({ kind: "unreachable" });
    const lost = at.payment();
    expect(lost).toMatchObject({ status: "open", intent_id: null });
    expect(await prepare(at)).toMatchObject({ kind: "ready", payment: { id: lost?.["id"] } });
    expect(at.bank.count("createCustomer")).toBe(1);
  });

  it("is stored with the driver's first customer or not at all, and found again with it by their keys", async () => {
    const at = open();
    at.run(`CREATE TRIGGER down BEFORE INSERT ON stripe_customers BEGIN SELECT RAISE(ABORT, 'down'); END`);
    await expect(prepare(at)).rejects.toThrow();
    expect(at.rows(`SELECT * FROM stripe_customers`)).toEqual([]);
    const lost = at.payment();
    expect(lost).toMatchObject({ status: "open", intent_id: null });
    at.run(`DROP TRIGGER down`);
    expect(await prepare(at)).toMatchObject({ kind: "ready", payment: { id: lost?.["id"] } });
    expect(
      new Set(at.bank.asked.map(([name, of, key]) => [name, of, name === "createCustomer" && key].join(" "))),
    ).toEqual(new Set([`createCustomer ${DRIVER} ${OF_DAY}`, `createIntent ${String(lost?.["id"])} false`]));
  });

  it("for a customer beside one that another call stored first is called off with it", async () => {
    const at = open();
    at.bank.during("createIntent", () =>
      at.run(`INSERT INTO stripe_customers (driver_id, customer_id) VALUES (?, 'cus_other')`, DRIVER),
    );
    expect(await prepare(at)).toMatchObject({ kind: "ready" });
    expect(at.bank.intents.get("pi_2")?.status).toBe("canceled");
    expect(at.bank.asked.filter(([name]) => name === "deleteCustomer")).toEqual([
      ["deleteCustomer", "cus_1"],
    ]);
    expect(at.bank.asked.at(-1)?.[2]).toMatchObject({ customerId: "cus_other" });
    expect(statuses(at)).toEqual(["abandoned", "open"]);
  });

  it("and breaks off for a reason of our own stays as it is", async () => {
    const at = open();
    at.bank.during("createIntent", () => {
      throw new TypeError("ours");
    });
    await expect(prepare(at)).rejects.toThrow("ours");
    expect(statuses(at)).toEqual(["open"]);
  });

  it.each([
    ["refused", refuse()],
    ["refused by name", refuse({ missing: "payment_method" })],
    ["stored as a failure", losePath({ isReplayed: true })],
  ])("and is %s ends with its payment", async (_name, failure) => {
    const at = open();
    at.bank.during("createIntent", failure);
    await expect(prepare(at)).rejects.toMatchObject({ name: "CardProcessorError" });
    expect(statuses(at)).toEqual(["abandoned"]);
    expect(at.bank.count("createCustomer")).toBe(1);
  });

  it("for a customer that the bank does not know is requested with a new one", async () => {
    const at = open();
    at.bank.during("createIntent", refuse({ missing: "customer" }));
    expect(await prepare(at)).toMatchObject({ kind: "ready" });
    const [first, second] = at.rows(`SELECT id FROM payments ORDER BY rowid`).map((row) => row["id"]);
    expect(at.bank.asked.filter(([name]) => name === "createCustomer")).toEqual([
      ["createCustomer", DRIVER, OF_DAY],
      ["createCustomer", DRIVER, `customer:again:${first}`],
    ]);
    expect(at.bank.asked.at(-1)).toEqual([
      "createIntent",
      second,
      { customerId: "cus_2", language: "en", receiptEmail: null },
    ]);
    expect(statuses(at)).toEqual(["abandoned", "open"]);
  });

  it("is in the driver's language, with the receipt to their address", async () => {
    const at = openCheckout();
    at.addDriver(DRIVER, { change: { language: "pt", flexEmail: "ana@example.com" } });
    await prepare(at);
    expect(at.bank.asked.at(-1)?.[2]).toEqual({
      customerId: "cus_1",
      language: "pt",
      receiptEmail: "ana@example.com",
    });
  });

  it("without a secret is shown to nobody", async () => {
    const at = open();
    at.bank.next = { clientSecret: null };
    expect(await prepare(at)).toEqual({ kind: "busy" });
  });

  it("of a payment that another tab called off is called off too", async () => {
    const at = open();
    at.bank.during("createIntent", () => at.run(`UPDATE payments SET status = 'abandoned'`));
    expect(await prepare(at)).toMatchObject({ kind: "ready", clientSecret: "pi_3_secret" });
    expect(at.bank.intents.get("pi_2")?.status).toBe("canceled");
    expect(statuses(at)).toEqual(["abandoned", "open"]);
  });

  it("is given up where other tabs win every round", async () => {
    const at = open();
    const lose = () => at.run(`UPDATE payments SET status = 'abandoned'`);
    at.bank.during("createIntent", lose, lose, lose, lose, lose);
    expect(await prepare(at)).toEqual({ kind: "busy" });
    expect(at.bank.count("createIntent")).toBe(4);
  });
});
