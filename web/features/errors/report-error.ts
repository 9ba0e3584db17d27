import { REQUEST_ID_HEADER } from "../../../worker/contract/headers.ts";
import type { ErrorReport, VisitorErrorReport } from "../../../worker/contract/error-report.ts";
import { api, fetchConfig } from "../../api/client/client.ts";
import { request, requireOk } from "../../api/client/request.ts";
import { sessionStore, restoreSession } from "../../api/session/session.ts";
import { serverNow } from "../../early/server-clock.ts";

const MAX_LENGTH = { name: 128, message: 2_000, stack: 16_000 } as const;
const VISITOR_STACK_LENGTH = 4_000;

/** Reported since the page loaded: a screen may render many times with one error. */
const reports = new Map<unknown, Promise<string | null>>();

/**
 * Reports an error to the operator, once: as the signed-in driver, or without a name.
 * @returns the report's request id in the log; null if there is none
 */
export function reportError(caller: string, error: unknown): Promise<string | null> {
  const known = reports.get(error);
  if (known) return known;
  const report = sendReport(caller, error);
  reports.set(error, report);
  return report;
}

async function sendReport(caller: string, error: unknown): Promise<string | null> {
  try {
    const { identity } = await fetchConfig();
    // The page may have broken before it restored the session.
    const isSignedIn = Boolean(sessionStore.get() ?? restoreSession(identity, serverNow()));
    const report = toErrorReport(caller, error);
    const response = isSignedIn
      ? await api.flex.v1.errors.$post({ json: report })
      : await sendAsVisitor(toVisitorReport(report));
    await requireOk(response);
    return response.headers.get(REQUEST_ID_HEADER);
  } catch (failure) {
    // oxlint-disable-next-line no-console -- a report that fails must not break what is left of the page
    console.warn("error.report.failed", failure instanceof Error ? failure.message : "unknown");
    return null;
  }
}

function sendAsVisitor(report: VisitorErrorReport): Promise<Response> {
  return request("/status/errors", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(report),
  });
}

/** The report about a visitor's page: the kind and place of the failure, and nothing that was on it. */
export function toVisitorReport({ caller, name, message, stack }: ErrorReport): VisitorErrorReport {
  const places = stack?.replace(message, "").slice(0, VISITOR_STACK_LENGTH) ?? null;
  return { caller, name, stack: places };
}

/** An error as the contract takes it; anything else that was thrown as text. */
export function toErrorReport(caller: string, error: unknown): ErrorReport {
  const { name, message, stack } =
    error instanceof Error ? error : { name: typeof error, message: String(error), stack: undefined };
  return {
    caller,
    name: name.slice(0, MAX_LENGTH.name),
    message: message.slice(0, MAX_LENGTH.message),
    stack: stack?.slice(0, MAX_LENGTH.stack) ?? null,
  };
}
