import { RemoteError } from "../runtime/describe-error.ts";
import type { Env } from "../runtime/env.ts";
import { Driver } from "./driver.ts";

/**
 * The driver's object, whose constructor says what it threw, as its methods do: the caller would get an error without a
 * cause.
 */
export class DriverObject extends Driver {
  constructor(ctx: DurableObjectState, env: Env) {
    try {
      super(ctx, env);
    } catch (error) {
      throw new RemoteError(error);
    }
  }
}
