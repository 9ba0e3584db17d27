import * as z from "zod/mini";
import { readShape } from "../../db/shapes/tolerant.ts";

/** Where the console is, and what lets the program in: a service token of Cloudflare Access, or a person's token. */
export type ConsoleAccess = { url: string; headers: Readonly<Record<string, string>> };

/** The access that the environment describes; null if something is missing. */
export function readConsoleAccess(env: Readonly<Record<string, string | undefined>>): ConsoleAccess | null {
  const url = (env["OPS_URL"] ?? env["PUBLIC_URL"])?.replace(/\/+$/, "");
  const { CF_ACCESS_CLIENT_ID: id, CF_ACCESS_CLIENT_SECRET: secret, CF_ACCESS_TOKEN: token } = env;
  if (!url) return null;
  if (id && secret) return { url, headers: { "cf-access-client-id": id, "cf-access-client-secret": secret } };
  // As `cloudflared access token` prints it: Access takes it from its cookie.
  return token ? { url, headers: { cookie: `CF_Authorization=${token}` } } : null;
}

/** The same where the settings of the deployment are at hand, which say whether the console has a host of its own. */
export function accessToDeployment(
  { publicUrl, operators }: { publicUrl: string; operators: { url: string | null } | null },
  env: Readonly<Record<string, string | undefined>>,
): ConsoleAccess | null {
  return readConsoleAccess({ PUBLIC_URL: publicUrl, OPS_URL: operators?.url ?? undefined, ...env });
}

/** The console refused a call, in its own words, or was not reached. */
export class ConsoleError extends Error {
  override name = "ConsoleError";
  /** The fault of each field that the console refused. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(message: string, fields: ConsoleError["fields"] = {}) {
    super(message);
    this.fields = fields;
  }
}

/** Nobody knows whether the console did the act. */
class UnansweredError extends ConsoleError {
  override name = "UnansweredError";
}

function tellUnknown(error: unknown): never {
  if (!(error instanceof UnansweredError)) throw error;
  throw new ConsoleError(
    `${error.message} It may be done all the same: look at the log before you repeat it.`,
  );
}

const refusal = z.object({
  code: z.string(),
  message: z.object({ en: z.string() }),
  fields: z.optional(z.record(z.string(), z.string())),
});

/** The console's API, for a program. */
export function createConsoleClient({ url, headers }: ConsoleAccess, send: typeof fetch = fetch) {
  async function call(method: string, path: string, { body, key }: { body?: unknown; key?: string }) {
    const response = await send(`${url}/ops/v1${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...headers,
        ...(key === undefined ? {} : { "idempotency-key": key, "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new UnansweredError(`${url} can't be reached: ${String(error)}.`);
    });
    const text = await response.text().catch((error: unknown) => {
      throw new UnansweredError(`${url} broke off its answer: ${String(error)}.`);
    });
    if (response.ok) return JSON.parse(text) as unknown;
    throw toRefusal(response.status, text);
  }
  return {
    get: async <Shape extends z.ZodMiniType>(path: string, shape: Shape): Promise<z.output<Shape>> =>
      readShape(shape, await call("GET", path, {})),
    /** Does an act under a key of its own. Where no answer comes, it sends the same key again: the console does it once. */
    act: async <Shape extends z.ZodMiniType>(
      path: string,
      body: unknown,
      shape: Shape,
    ): Promise<z.output<Shape>> => {
      const act = { body, key: crypto.randomUUID() };
      const answer = await call("POST", path, act).catch(async (error: unknown) => {
        if (!(error instanceof UnansweredError)) throw error;
        return call("POST", path, act).catch(tellUnknown);
      });
      return readShape(shape, answer);
    },
  };
}

export type ConsoleClient = ReturnType<typeof createConsoleClient>;

function toRefusal(status: number, text: string): ConsoleError {
  if (status >= 300 && status < 400)
    return new ConsoleError("Cloudflare Access does not let this program in.");
  const parsed = z.safeParse(refusal, parseJson(text));
  const FailedError = status >= 500 ? UnansweredError : ConsoleError;
  if (!parsed.success) return new FailedError(`The console answered with ${status}.`);
  const { code, message, fields = {} } = parsed.data;
  const wrong = Object.entries(fields).map(([field, issue]) => ` ${field}: ${issue}.`);
  return new FailedError(`${message.en} (${code})${wrong.join("")}`, fields);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
