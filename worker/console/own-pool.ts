import { ApiError } from "../http/errors/api-error.ts";
import type { ConsoleContext } from "./acts.ts";

/** @throws {ApiError} `conflict` where another pool signs drivers in */
export function requireOwnPool({ deps }: ConsoleContext): void {
  if (deps.config.identity.kind !== "embedded") throw new ApiError("conflict");
}
