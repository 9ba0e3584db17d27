import { z } from "zod";

export const settings = z.strictObject({
  /** What the generated offers follow from: the same seed and clock give the same world. */
  seed: z.int(),
  /** Multiplies how often offers drop. */
  tempo: z.number().min(0).max(100),
  generate: z.boolean(),
  /** Takes this share of all offers so long after they drop; null: as generated, and none of those dropped by hand. */
  rivals: z.strictObject({ delayMs: z.number().min(0), share: z.number().min(0).max(1) }).nullable(),
  quotas: z.strictObject({ limit: z.int().min(0), windowSeconds: z.int().min(1) }),
  /** A device is approved so long after the right code; null: by hand, at the desk. */
  autoApproveMs: z.number().min(0).nullable(),
  weeklyLimitMinutes: z.int().min(0),
  accessTokenSeconds: z.int().min(1),
  selfie: z.strictObject({
    /** Asked of every driver who links from now on. */
    required: z.boolean(),
    /** Origin at which a browser reaches the selfie page; null: the one that the request came to. */
    origin: z.url().nullable(),
  }),
  /** The clock stands at this instant; null: it runs. */
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
  accessTokenSeconds: 3600,
  selfie: { required: false, origin: null },
  now: null,
};
