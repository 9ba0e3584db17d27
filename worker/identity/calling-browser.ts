/**
 * The browser that calls. It opens nothing: it only keeps what a stranger guesses at an account from locking out a browser
 * in which its owner signed in before, whose own guesses are counted by themselves.
 */
export type CallingBrowser = {
  id: string | null;
  /** The accounts that it signed in to, by their subs, the latest first. */
  accounts: string[];
  /** Whether it signed in, or proved a phone, in this call. */
  isRenewed: boolean;
};

/** A caller of which nothing is known. */
export function unknownBrowser(): CallingBrowser {
  return { id: null, accounts: [], isRenewed: false };
}
