import { getLocale } from "./messages/runtime.js";

// Imported before everything else: what the console shares with the drivers' page takes its language from the document.
document.documentElement.lang = getLocale();
