/** The cookie with the language that was chosen on this device. Public pages read it before any other code is there. */
export const LANGUAGE_COOKIE = "PARAGLIDE_LOCALE";
