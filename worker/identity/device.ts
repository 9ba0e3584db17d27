/** A session's description for its owner: the browser and system that signed in, and the country that it was last used in. */
export type Device = { browser: string | null; system: string | null; country: string | null };

/** In this order: most browsers also name those that they descend from. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|OPiOS)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\b(?:Macintosh|Mac OS X)\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];
/** ISO 3166. Cloudflare also says `XX` for unknown and `T1` for Tor. */
const COUNTRY = /^(?!XX)[A-Z]{2}$/;

/** Reads a device from what its browser says of itself, of which nothing else is kept. */
export function parseDevice(userAgent: string | null, country: unknown): Device {
  const nameIn = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1] ?? null;
  return {
    browser: nameIn(BROWSERS),
    system: nameIn(SYSTEMS),
    country: typeof country === "string" && COUNTRY.test(country) ? country : null,
  };
}

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
