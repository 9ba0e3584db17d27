import { digest } from "../chance.ts";
import { countUp } from "../ids.ts";
import { Table } from "../table.ts";
import type {
  Arrival,
  Booking,
  Charge,
  Customer,
  CustomerSession,
  Dispute,
  Endpoint,
  Intent,
  KeptAnswer,
  Method,
  PaymentEvent,
  Post,
  Refund,
  Switches,
  Warning,
} from "./shapes.ts";

/** All payment tables; emptied by a reset. */
export function openPayments(sql: SqlStorage) {
  return {
    customers: new Table<Customer>(sql, "stripe.customers"),
    customerSessions: new Table<CustomerSession>(sql, "stripe.customer_sessions", 500),
    methods: new Table<Method>(sql, "stripe.methods"),
    intents: new Table<Intent>(sql, "stripe.intents"),
    charges: new Table<Charge>(sql, "stripe.charges"),
    refunds: new Table<Refund>(sql, "stripe.refunds"),
    disputes: new Table<Dispute>(sql, "stripe.disputes"),
    bookings: new Table<Booking>(sql, "stripe.bookings"),
    warnings: new Table<Warning>(sql, "stripe.warnings"),
    events: new Table<PaymentEvent>(sql, "stripe.events", 5000),
    kept: new Table<KeptAnswer>(sql, "stripe.kept", 2000),
    arrivals: new Table<Arrival>(sql, "stripe.arrivals", 2000),
    post: new Table<Post>(sql, "stripe.post"),
    switches: new Table<Switches>(sql, "stripe.switches"),
  };
}

/** The webhook endpoint survives a reset. */
export const openEndpoint = (sql: SqlStorage) => new Table<Endpoint>(sql, "stripe.endpoint");

/** An id in Stripe's format, unique even across resets. */
export function paymentId({ counters }: { counters: Table<number> }, prefix: string): string {
  const count = countUp(counters, `stripe.${prefix}`);
  const letters = [1, 2].map((part) =>
    BigInt(`0x${digest(`${prefix}:${count}:${part}`)}`)
      .toString(36)
      .padStart(13, "0")
      .slice(-10),
  );
  return `${prefix}_3${letters.join("")}${count.toString(36).padStart(3, "0")}`;
}
