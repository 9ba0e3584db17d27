import { zValidator } from "@hono/zod-validator";
import type { ValidationTargets } from "hono";
import { safeParse, type $ZodType, type output } from "zod/v4/core";
import { invalidRequest } from "./errors/api-error.ts";

/** Validates one part of a request; throws on a mismatch, so that every error has the same shape. */
export function validate<Shape extends $ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  shape: Shape,
) {
  return zValidator(target, shape, (result) => {
    if (!result.success) throw invalidRequest(result.error.issues);
  });
}

/**
 * Parses a form that was read already, as one whose signature was checked first.
 * @throws {ApiError} `invalid_request`
 */
export function parseForm<Shape extends $ZodType>(shape: Shape, form: URLSearchParams): output<Shape> {
  const parsed = safeParse(shape, Object.fromEntries(form));
  if (!parsed.success) throw invalidRequest(parsed.error.issues);
  return parsed.data;
}
