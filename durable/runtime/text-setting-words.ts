const HOUR_AND_DAY =
  "two numbers as in 20/60, by the hour and by the day, the first no larger than the second";

/** The settings of the text gateway and of how many texts it sends, with their words. */
export const TEXT_SETTINGS = {
  TWILIO_URL: {
    purpose: "the text gateway's address",
    form: "an http or https address",
    default: "https://api.twilio.com",
  },
  TWILIO_ACCOUNT_SID: {
    purpose: "the account at the text gateway",
    form: "an id that begins with AC",
    unset: "no texts and so no codes: nobody can register",
  },
  TWILIO_AUTH_TOKEN: {
    purpose: "the secret of that account",
    form: "a token without spaces",
    isSecret: true,
  },
  TWILIO_FROM: {
    purpose: "the sender of texts",
    form: "a number as in +15550100000, a short code, or a messaging service's id that begins with MG",
  },
  TEXT_COUNTRIES: {
    purpose: "the countries whose numbers get texts",
    form: "a comma-separated list of two-letter codes and of prefixes as in US,CA,+1938",
    default: "US,CA",
    note: "a prefix names a new area code",
  },
  TEXTS_PER_NUMBER: {
    purpose: "the most codes that one number gets",
    form: HOUR_AND_DAY,
    default: "5/10",
  },
  TEXTS_PER_ACCOUNT: {
    purpose: "the most codes that one account causes",
    form: HOUR_AND_DAY,
    default: "8/20",
  },
  TEXTS_PER_NETWORK: {
    purpose: "the most codes that one IPv4 address or one /64 of IPv6 causes",
    form: HOUR_AND_DAY,
    default: "20/60",
  },
  TEXTS_TO_NEW_NUMBERS: {
    purpose: "the most codes that the deployment sends to numbers that nobody proved yet",
    form: HOUR_AND_DAY,
    default: "200/1000",
  },
  TEXTS_TO_PROVED_NUMBERS: {
    purpose: "the most codes that the deployment sends to proved numbers",
    form: HOUR_AND_DAY,
    default: "200/1000",
  },
  TEXTS_TO_DRIVERS: {
    purpose: "the most texts about captures and the like that the deployment sends",
    form: HOUR_AND_DAY,
    default: "2000/20000",
  },
  TEXTS_TO_INVITED_NUMBERS: {
    purpose: "the most invitations that the deployment texts to numbers that drivers entered",
    form: HOUR_AND_DAY,
    default: "100/500",
  },
  TEXTS_PER_DRIVER: {
    purpose: "the most texts that a driver gets in a day, before one text in the evening sums up the rest",
    form: "a whole number from 1 to 1000",
    default: "20",
  },
} as const;
