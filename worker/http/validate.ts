import { zValidator } from "@hono/zod-validator";
import type { ValidationTargets } from "hono";
import type { $ZodType } from "zod/v4/core";
import { invalidRequest } from "./api-error.ts";

/** Validates one part of a request; throws on a mismatch, so that every error has the same shape. */
export function validate<Shape extends $ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  shape: Shape,
) {
  return zValidator(target, shape, (result) => {
    if (!result.success) throw invalidRequest(result.error.issues);
  });
}
