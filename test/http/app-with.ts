import { Hono, type MiddlewareHandler } from "hono";
import type { DriverId } from "../../db/shapes/units.ts";
import { answerError } from "../../worker/http/errors/answer-error.ts";
import type { AppEnv, Caller } from "../../worker/http/app-env.ts";

/** An app whose handlers find these variables, and whose errors become the API's answers. */
export function appWith(variables: Partial<AppEnv["Variables"]>): Hono<AppEnv> {
  const provide: MiddlewareHandler<{ Variables: Record<string, unknown> }> = async (c, next) => {
    for (const [name, value] of Object.entries(variables)) c.set(name, value);
    await next();
  };
  const app = new Hono<AppEnv>();
  app.use(provide);
  return app.onError(answerError);
}

/** A driver whose credential says nothing else about the call. */
export const callerOf = (driverId: DriverId): Caller => ({
  driverId,
  phoneNumber: null,
  sessionId: null,
  signedInAt: null,
});
