import { getLocale } from "../messages/runtime.js";

// The plots' library asks for its formats as it is loaded, by the browser's language. A browser without a language of its own,
// as under `LANG=C`, names one that `Intl` throws at (`en-US@posix`), and then nothing of the console shows.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { configurable: true, value: getLocale() });
}
