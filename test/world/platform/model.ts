/** A block as the platform keeps it. */
export type PlatformBlock = {
  blockId: string;
  offerId: string;
  warehouseId: string;
  serviceType: string;
  startsAt: number;
  endsAt: number;
  payCents: number;
  currency: string;
  status: string;
  acceptedAt: number;
  isByHand: boolean;
  /** When the driver gave it back. */
  givenBackAt: number | null;
  /** Whether it left the list when it was given back. */
  isGone: boolean;
};

export type PlatformOffer = {
  offerId: string;
  warehouseId: string;
  serviceType: string;
  startsAt: number;
  endsAt: number;
  payCents: number;
  currency: string;
  expiresAt: number;
  /** Whether it is among the open offers. */
  isListed: boolean;
  /** Facts that the contract doesn't know. */
  note?: string;
};

export type Account = {
  email: string;
  driverId: string;
  access: Set<string>;
  accessUntil: Map<string, number>;
  accessIssuedAt: Map<string, number>;
  refresh: string | null;
  previousRefresh: { token: string; until: number; pair: Record<string, unknown> } | null;
  blocks: PlatformBlock[];
  answers: Map<string, { at: number; answer: Answer }>;
  needsSelfie: boolean;
  /** When a refresh token that was used up was refused, or a session was ended. */
  endings: number[];
};

export type Answer = { status: number; body: unknown; headers?: Record<string, string> };

export type PlatformRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  token: string | null;
  key: string | null;
  etag: string | null;
  body: Record<string, unknown>;
};

/** Requests that reached the platform, as it saw them. */
export type PlatformLogEntry = {
  at: number;
  operation: string;
  email: string | null;
  status: number;
  code: string | null;
  offerId: string | null;
  key: string | null;
  /** The block that this call, and no earlier one, made. */
  effect: PlatformBlock | null;
};

export type PlatformWarehouse = { warehouseId: string; name: string; timeZone: string; serviceType: string };
