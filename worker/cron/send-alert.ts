import type { Deps } from "../../durable/deps.ts";
import type { Config } from "../../durable/runtime/config.ts";
import { errorName } from "../../durable/runtime/describe-error.ts";
import { alertRequest, type AlertMessage, type AlertTarget } from "./alert-request.ts";

const REQUEST_LIMIT_MS = 10_000;

export type AlertDeps = Pick<Deps, "db" | "now" | "sleep" | "log" | "send" | "restoreRecord"> & {
  config: Pick<Config, "alerts" | "operators" | "productName" | "publicUrl">;
};

/**
 * Sends a message to operators.
 * @throws {AlertRefusedError} or what the network throws, if the message wasn't taken; the log has it
 */
export async function sendAlert(
  { now, log, send, config }: AlertDeps,
  message: AlertMessage,
  target: AlertTarget,
): Promise<void> {
  const { productName, publicUrl, operators } = config;
  try {
    const request = await alertRequest(target, message, {
      sender: { productName, publicUrl, consoleUrl: operators?.url ?? publicUrl },
      now: now(),
    });
    const answer = await send(new Request(request, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) }));
    if (!answer.ok) throw new AlertRefusedError(answer.status);
  } catch (error) {
    const status = error instanceof AlertRefusedError ? error.status : null;
    const { name, event } = message;
    log("error", "alert.send.failed", { alert: name, event, status, error: errorName(error) });
    throw error;
  }
}

/** The receiver of alerts refused one. */
class AlertRefusedError extends Error {
  override name = "AlertRefusedError";
  readonly status: number;

  constructor(status: number) {
    super("the alert was refused");
    this.status = status;
  }
}
