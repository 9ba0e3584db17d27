import type { LocalDate } from "../work/local-date.ts";

/** The source of time that is given back for a day, named for the grant that ran on it: what takes the grant back takes this, too. */
export function outageSource(grant: string, date: LocalDate): string {
  return `${grant}:outage:${date}`;
}

/** Whether an entry of the service ledger gave time back. */
export function isOutageSource(source: string): boolean {
  return source.includes(":outage:");
}
