/** The source of a ledger entry that a payment causes: its grant of service, or what happened to it. */
export function ledgerSource({ id }: { id: string }, what?: string): string {
  return what === undefined ? `payment:${id}` : `payment:${id}:${what}`;
}

/** The payment that a source names; null where it names none. */
export function paymentOfSource(source: string): string | null {
  return /^payment:([\w-]+)(?::|$)/.exec(source)?.[1] ?? null;
}
