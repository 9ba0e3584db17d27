import { getLocale } from "./messages/runtime.js";

// Drivers' words and formats that the console shows take the page's language as they are first evaluated: this comes before.
document.documentElement.lang = getLocale();
