import type { FaultKind, Operation } from "./operations.ts";
import { DEFAULTS } from "./settings.ts";
import type { Settings } from "./settings.ts";
import { openEndpoint, openPayments } from "./stripe/tables.ts";
import { Table } from "./table.ts";

/** Instants are epoch ms throughout; money is in cents. */
export type EpochMs = number;
export type ServiceType = "parcel" | "whole_foods" | "grocery" | "other";

export type Account = { email: string; failures: number; lockedUntil: EpochMs };

export type Driver = {
  driverId: string;
  email: string;
  regionId: string;
  /** The secret in the selfie page's URL while a selfie is required. */
  selfieSecret: string | null;
};

export type Session = {
  sessionId: string;
  email: string;
  device: { id: string; name: string };
  step: "otp" | "approval" | "active" | "denied";
  otp: { channel: "sms" | "email"; destination: string };
  recipient: string;
  code: string;
  sentAt: EpochMs;
  attemptsLeft: number;
  answeredAt: EpochMs | null;
  lapsesAt: EpochMs;
  tokensGiven: boolean;
};

export type Tokens = { accessToken: string; refreshToken: string; expiresIn: number };
export type Access = { token: string; driverId: string; family: string; expiresAt: EpochMs };
export type Refresh = {
  token: string;
  driverId: string;
  family: string;
  /** Set by the first use: when it was exchanged and for which pair. */
  traded: { at: EpochMs; pair: Tokens; repeated: boolean } | null;
};

export type Offer = {
  offerId: string;
  warehouseId: string;
  serviceType: ServiceType;
  startsAt: EpochMs;
  endsAt: EpochMs;
  payCents: number;
  /** USD if left out. */
  currency?: string;
  surge: boolean;
  publishedAt: EpochMs;
  expiresAt: EpochMs;
  rises: { at: EpochMs; payCents: number }[];
  /** When a rival takes it, if the settings configure no rivals. */
  rivalAt: EpochMs | null;
  /** In [0, 1). With configured rivals, one takes it if this is below their share. */
  roll: number;
};

export type Block = {
  blockId: string;
  driverId: string;
  offerId: string;
  warehouseId: string;
  serviceType: ServiceType;
  startsAt: EpochMs;
  endsAt: EpochMs;
  payCents: number;
  acceptedAt: EpochMs;
  checkedInAt: EpochMs | null;
  forfeitedAt: EpochMs | null;
};

export type AcceptAnswer = { offerId: string; at: EpochMs; status: 200 | 409; body: Record<string, unknown> };
export type AcceptArrival = {
  offerId: string;
  driverId: string | null;
  key: string | null;
  at: EpochMs;
  /** The platform's decision; a fault may have changed the response. */
  status: number;
  code: string | null;
  fault: FaultKind | null;
};

/** A text that the gateway took. `code`: why it will not arrive; null if it will. `callback`: where that is reported. */
export type SmsText = {
  sid: string;
  to: string;
  from: string;
  at: EpochMs;
  callback: string | null;
  code: number | null;
};

/** The fate of texts to a number: refused or undelivered with this code, or refused since its owner sent STOP. */
export type SmsNumber = { code: number | null; isStopped: boolean };

export type Message = { id: string; to: string; from: string; body: string; at: EpochMs };

/** A message that the push service received: its headers, and the encrypted body in Base64. */
export type PushArrival = {
  endpoint: string;
  at: EpochMs;
  ttl: number;
  urgency: string;
  topic: string | null;
  /** The sender's VAPID public key. */
  key: string;
  subject: string;
  body: string;
  /** The response status. */
  status: number;
};

/** The configured response of the push service for one subscription. */
export type PushMood = { status: number; timesLeft: number | null; retryAfter: number | null };

/** A contact of a Chatwoot account. `isOnline`: its widget is open. */
export type ChatContact = {
  id: number;
  identifier: string | null;
  phoneNumber: string | null;
  email: string | null;
  messages: string[];
  isOnline: boolean;
};

export type Fault = {
  faultId: string;
  operation: Operation | "*";
  fault: FaultKind;
  /** How often it still applies; null: until cleared. */
  timesLeft: number | null;
  probability: number;
  retryAfter: number | null;
  delayMs: number | null;
  /** The answer of "gateway". */
  body: string;
  status: number;
  /** Of "changed_field": the names on the way to it, positions in lists left out. */
  field: string[];
  value: unknown;
  headers: Record<string, string>;
};

export type State = ReturnType<typeof openState>;

/** State and clock, which every simulated service works on. */
export type Stage = { state: State; now: () => EpochMs };

/** A held response. */
export type Held = { operation: Operation; letGo: () => void };

/** Everything that the sandbox stores. `meters`, `polls` and `held` are in memory only and lost on eviction. */
export function openState(sql: SqlStorage) {
  const settings = new Table<Settings>(sql, "settings");
  const tables = {
    accounts: new Table<Account>(sql, "accounts"),
    drivers: new Table<Driver>(sql, "drivers"),
    sessions: new Table<Session>(sql, "sessions", 1000),
    access: new Table<Access>(sql, "access", 5000),
    refresh: new Table<Refresh>(sql, "refresh", 5000),
    offers: new Table<Offer>(sql, "offers"),
    blocks: new Table<Block>(sql, "blocks"),
    answers: new Table<AcceptAnswer>(sql, "answers"),
    accepts: new Table<AcceptArrival>(sql, "accepts", 2000),
    messages: new Table<Message>(sql, "messages", 500),
    smsTexts: new Table<SmsText>(sql, "sms_texts", 500),
    smsNumbers: new Table<SmsNumber>(sql, "sms_numbers", 500),
    smsEndpoints: new Table<string>(sql, "sms_endpoints"),
    smsCampaigns: new Table<string>(sql, "sms_campaigns"),
    pushes: new Table<PushArrival>(sql, "pushes", 500),
    pushMoods: new Table<PushMood>(sql, "push_moods", 500),
    faults: new Table<Fault>(sql, "faults"),
    chatContacts: new Table<ChatContact>(sql, "chat_contacts", 500),
    cursors: new Table<number>(sql, "cursors"),
  };
  const payments = openPayments(sql);
  const meters = new Map<string, { startedAt: EpochMs; spent: number }>();
  const polls: { at: EpochMs; driverId: string | null }[] = [];
  const held: Held[] = [];
  const letGo = () => {
    for (const answer of held.splice(0)) answer.letGo();
  };
  return {
    ...tables,
    payments,
    endpoint: openEndpoint(sql),
    // These two survive a reset: token verifiers may have cached the keys, and ids must stay unique.
    keys: new Table<JsonWebKey>(sql, "keys"),
    counters: new Table<number>(sql, "counters"),
    meters,
    polls,
    held,
    /** Releases all held responses. */
    letGo,
    settings: {
      get: () => settings.get("world") ?? DEFAULTS,
      set: (value: Settings) => settings.set("world", value),
    },
    reset() {
      for (const table of [...Object.values(tables), ...Object.values(payments)]) table.clear();
      settings.clear();
      meters.clear();
      polls.length = 0;
      letGo();
    },
  };
}
