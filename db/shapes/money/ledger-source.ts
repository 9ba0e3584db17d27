import type { LocalDate } from "../work/local-date.ts";

/** The source of a ledger entry that a payment causes: its grant of service, or what happened to it. */
export function ledgerSource({ id }: { id: string }, what?: string): string {
  return what === undefined ? `payment:${id}` : `payment:${id}:${what}`;
}

/** The payment that a source names; null where it names none. */
export function paymentOfSource(source: string): string | null {
  return /^payment:([\w-]+)(?::|$)/.exec(source)?.[1] ?? null;
}

/**
 * The source of time that is given back for a day, named for the grant that ran on it: what takes the grant back takes
 * this, too.
 */
export function outageSource(grant: string, date: LocalDate): string {
  return `${grant}:outage:${date}`;
}

/** Whether an entry of the service ledger gave time back. */
export function isOutageSource(source: string): boolean {
  return source.includes(":outage:");
}
