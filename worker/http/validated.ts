import { zValidator } from "@hono/zod-validator";
import type { ValidationTargets } from "hono";
import type { $ZodType } from "zod/v4/core";
import { invalidFields } from "./failure.ts";

/** Parses one part of a request; what does not fit is thrown, so that every error has one shape. */
export function validated<Shape extends $ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  shape: Shape,
) {
  return zValidator(target, shape, (result) => {
    if (!result.success) throw invalidFields(result.error.issues);
  });
}
