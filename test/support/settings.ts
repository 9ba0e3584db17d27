/** Settings for development and tests. The sandbox serves all of these addresses. */
export const DEMO_SETTINGS = {
  PUBLIC_URL: "http://localhost:5173",
  PLATFORM_URL: "http://platform.localhost",
  MASTER_KEYS: "test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
  IDENTITY: "cognito",
  COGNITO_POOL_ID: "us-east-1_Sandbox",
  COGNITO_CLIENT_ID: "sandboxclient",
  TWILIO_URL: "http://sms.localhost",
  TWILIO_ACCOUNT_SID: "ACsandbox",
  TWILIO_AUTH_TOKEN: "sandbox",
  TWILIO_FROM: "+15550100000",
  // No phone has the area code 555.
  TEXT_COUNTRIES: "US,CA,+1555",
  VAPID_PUBLIC_KEY: "BAEb7A-dk-ou9-xGE5gIgG6zvezVzJMEO9l8DPJ_EKrZrEQT14l6JcBc_UdMRuDoNQMK31GYmCUhDUGDkL9Kivo",
  VAPID_PRIVATE_KEY: "GYzuuiHXv-EPqUNqpeKmUqiKXrPiA4o4VUnA8nO1mjM",
  VAPID_SUBJECT: "mailto:operator@example.com",
  STRIPE_URL: "http://stripe.localhost",
  STRIPE_SECRET_KEY: "sk_test_sandbox",
  STRIPE_PUBLISHABLE_KEY: "pk_test_sandbox",
  STRIPE_WEBHOOK_SECRETS: "whsec_sandbox",
  DRAND_URL: "http://drand.localhost/sandbox/drand",
  DRAND_PUBLIC_KEY:
    "8d0273f6bf31ed37c3b8d68083ec3d8e20b5f2cc170fa24b9b5be35b34ed013f9a921f1cad1644d4bdb14674247234c8049cd1dbb2d2c3581e54c088135fef36505a6823d61b859437bfc79b617030dc8b40e32bad1fa85b9c0f368af6d38d3c",
  ACCESS_TEAM_DOMAIN: "access.localhost",
  ACCESS_AUD: "sandbox-console",
  OPS_OWNERS: "owner@example.com,c0ffee00000000000000000000000000.access",
  OPS_SUPPORT: "support@example.com",
} as const;

/** The demo driver: linked, with service, and switched on. */
export const DEMO_DRIVER = {
  phoneNumber: "+15550100100",
  password: "Jornada-1-demo",
  name: "Rosa Pereira",
  email: "demo.driver@example.com",
} as const;
