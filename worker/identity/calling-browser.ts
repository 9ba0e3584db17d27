/**
 * The browser that calls. It opens nothing: it only keeps what a stranger guesses at an account from locking out a browser
 * in which its owner signed in before, whose own guesses are counted by themselves.
 */
export type CallingBrowser = {
  id: string | null;
  /** The accounts that it signed in to, the latest first. */
  accounts: KnownAccount[];
  /** Whether it signed in, or proved a phone, in this call. */
  isRenewed: boolean;
};

/**
 * An account that a browser signed in to, by its sub, and the mark of the password that it had then; null in a cookie from
 * before marks were kept.
 */
export type KnownAccount = { sub: string; mark: string | null };

/** A caller of which nothing is known. */
export function unknownBrowser(): CallingBrowser {
  return { id: null, accounts: [], isRenewed: false };
}
