import { expand } from "../expand.ts";
import { readParams } from "../form.ts";
import { PAGE, createdKind, isWithin, pageOf, spanOf } from "../lists.ts";
import { missing } from "../refusal.ts";
import { payoutView, transactionsOf } from "../views/transactions.ts";
import { EXPAND, type Call } from "./call.ts";

export const TRANSACTION_CALLS = {
  listTransactions(act, params) {
    const page = readParams(
      {
        ...PAGE,
        created: createdKind(params),
        currency: "string",
        payout: "string",
        source: "string",
        type: "string",
      },
      params,
    );
    const rows = transactionsOf(act.state)
      .filter(({ createdAt }) => isWithin(createdAt, spanOf(page.created)))
      .filter((row) => page.type === undefined || row["type"] === page.type)
      .filter((row) => page.currency === undefined || row["currency"] === page.currency)
      .filter((row) => page.source === undefined || row["source"] === page.source);
    const view = ({ createdAt: _createdAt, ...row }: (typeof rows)[number]) => row;
    const shown = { url: "/v1/balance_transactions", kind: "balance_transaction", view };
    return expand(act.state, pageOf(rows.toReversed(), page, shown), page.expand ?? []);
  },

  readPayout(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const payout = act.state.payments.bookings.values().find(({ source }) => source === id);
    if (!payout || payout.type !== "payout") throw missing("payout", id);
    return expand(act.state, payoutView(payout), paths);
  },
} satisfies Record<string, Call>;
