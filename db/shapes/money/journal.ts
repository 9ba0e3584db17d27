/**
 * The accounts of the journal. `stripe`: money at the card processor; `disputes_held`: what it holds of that. `tax`,
 * `service_owed`: what is owed to the state and to drivers. `revenue`: earned, less what was given back of it. `fees`,
 * `goodwill`, `dispute_losses`: what it cost. `time_owed` and `points_owed`: service time and points that drivers still have;
 * `time_used`: what of that time is over. It was bought or paid for with money (`time_given`, `points_given`), a reward for
 * points, an invitation or a trial (`rewards`), or a present of ours (`goodwill`).
 */
export const JOURNAL_ACCOUNTS = [
  "stripe",
  "bank",
  "disputes_held",
  "tax",
  "service_owed",
  "revenue",
  "fees",
  "goodwill",
  "dispute_losses",
  "time_owed",
  "time_given",
  "time_used",
  "points_owed",
  "points_given",
  "rewards",
] as const;
export type JournalAccount = (typeof JOURNAL_ACCOUNTS)[number];

/** One line of an entry. `unit`: a currency, in cents, or `ms` or `points`. A debit is positive, a credit negative. */
export type JournalLine = {
  entry: string;
  account: JournalAccount;
  unit: string;
  amount: number;
  paymentId: string | null;
};
