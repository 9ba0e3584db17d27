import { z } from "zod";

export const settings = z.strictObject({
  /** Seed of the generated offers: the same seed and clock give the same world. */
  seed: z.int(),
  /** Multiplies the rate of generated offers. */
  tempo: z.number().min(0).max(100),
  generate: z.boolean(),
  /** Rivals take this share of all offers after this delay. Null: as generated, and no offers created by hand. */
  rivals: z.strictObject({ delayMs: z.number().min(0), share: z.number().min(0).max(1) }).nullable(),
  quotas: z.strictObject({ limit: z.int().min(0), windowSeconds: z.int().min(1) }),
  /** Delay after the right code until the device is approved automatically. Null: only by hand, at the desk. */
  autoApproveMs: z.number().min(0).nullable(),
  weeklyLimitMinutes: z.int().min(0),
  /** Ids of warehouses that the platform lists for no driver at present. */
  closedWarehouses: z.array(z.string()),
  accessTokenSeconds: z.int().min(1),
  selfie: z.strictObject({
    /** Whether every driver who links from now on must take a selfie. */
    required: z.boolean(),
    /** Origin of the selfie page for browsers. Null: the origin of the request. */
    origin: z.url().nullable(),
  }),
  /** Stops the clock at this instant. Null: the clock runs. */
  now: z.number().int().nullable(),
});

export type Settings = z.infer<typeof settings>;

export const DEFAULTS: Settings = {
  seed: 1,
  tempo: 1,
  generate: true,
  rivals: null,
  quotas: { limit: 300, windowSeconds: 60 },
  autoApproveMs: null,
  weeklyLimitMinutes: 40 * 60,
  closedWarehouses: [],
  accessTokenSeconds: 3600,
  selfie: { required: false, origin: null },
  now: null,
};
