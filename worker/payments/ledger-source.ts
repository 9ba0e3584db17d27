/** The source of a ledger entry that a payment causes: its grant of service, or what happened to it. */
export function ledgerSource({ id }: { id: string }, what?: string): string {
  return what === undefined ? `payment:${id}` : `payment:${id}:${what}`;
}
