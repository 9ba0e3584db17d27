import { RemoteError } from "../runtime/describe-error.ts";

/** Wraps every method of a class, so that it throws a `RemoteError` in place of any other error. */
export function describeErrorsOf(prototype: object): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (name === "constructor" || typeof method !== "function") continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]): unknown {
        try {
          const result: unknown = Reflect.apply(method, this, args);
          return result instanceof Promise ? result.catch(rethrow) : result;
        } catch (error) {
          return rethrow(error);
        }
      },
    });
  }
}

function rethrow(error: unknown): never {
  throw error instanceof RemoteError ? error : new RemoteError(error);
}
