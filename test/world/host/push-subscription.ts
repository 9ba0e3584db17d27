/** A browser that listens for pushes. */
export const PUSH_SUBSCRIPTION = {
  endpoint: "https://push.localhost/subscriptions/1",
  keys: {
    p256dh: "BAEb7A-dk-ou9-xGE5gIgG6zvezVzJMEO9l8DPJ_EKrZrEQT14l6JcBc_UdMRuDoNQMK31GYmCUhDUGDkL9Kivo",
    auth: "AAECAwQFBgcICQoLDA0ODw",
  },
};
