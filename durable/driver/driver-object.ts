import { RemoteError } from "../runtime/describe-error.ts";
import type { Env } from "../runtime/env.ts";
import { Driver } from "./driver.ts";

/**
 * The driver's object. Its constructor, like its methods, describes what it threw: otherwise the caller would get an error
 * without a cause.
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
