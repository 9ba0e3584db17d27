import * as z from "zod";
import type { DurationMs, EpochMs } from "../../../db/shapes/units.ts";
import { GENEROUS, STRICT } from "../fields.ts";

/** Visible ASCII, so that it is safe in a header. */
const token = z.string().regex(/^[\x21-\x7e]+$/);

/** Where the platform does not say how long a token lives. One that ends sooner is refused, and refreshed then. */
const USUAL_LIFE_SECONDS = 600;

function tokensShape(expiresIn: z.ZodType<number>) {
  return z
    .object({ accessToken: token, refreshToken: token, expiresIn })
    .transform(({ expiresIn, ...pair }) => ({ ...pair, expiresInMs: expiresIn * 1000 }));
}

/** A token pair; `expiresIn` (seconds) becomes `expiresInMs`. */
export const tokensReading = {
  strict: tokensShape(STRICT.int.nonnegative()),
  generous: tokensShape(GENEROUS.int.pipe(z.int().nonnegative()).catch(USUAL_LIFE_SECONDS)),
};
export type TokensJson = z.output<typeof tokensReading.strict>;

/** How long a step of linking lasts where the platform does not say. */
const STEP_LIFE_MS = 600_000;

const sessionState = z.enum(["otp_required", "approval_required", "active", "denied", "expired"]);
const channel = z.enum(["sms", "email"]);

/** How the code was sent, as far as the platform says it. */
type SentCode = { channel: z.output<typeof channel> | null; destination: string | null };

/** A linking session and its state, whose step lapses by the platform's clock. Ours is ahead of that by `clockAheadMs`. */
export function sessionReading({ now, clockAheadMs }: { now: EpochMs; clockAheadMs: DurationMs }) {
  const toOurs = (at: EpochMs): EpochMs => Math.max(0, at + clockAheadMs);
  return {
    strict: z.object({
      sessionId: STRICT.platformId,
      state: sessionState,
      expiresAt: STRICT.instant.transform(toOurs),
      otp: z
        .object({ channel, destination: z.string() })
        .optional()
        .transform((value): SentCode | null => value ?? null),
      tokens: tokensReading.strict.optional().transform((value) => value ?? null),
    }),
    generous: z.object({
      sessionId: GENEROUS.platformId,
      state: sessionState,
      expiresAt: GENEROUS.instant.transform(toOurs).catch(now + STEP_LIFE_MS),
      otp: z
        .object({ channel: channel.nullable().catch(null), destination: z.string().nullable().catch(null) })
        .nullish()
        .catch(null)
        .transform((value): SentCode | null => value ?? null),
      tokens: tokensReading.generous.nullish().transform((value) => value ?? null),
    }),
  };
}
export type SessionJson = z.output<ReturnType<typeof sessionReading>["strict"]>;
