import { m } from "../messages/messages.js";

/** The server's verdict on a figure that is too much or too little as things stand; none where it has nothing against it. */
export function boundMessage(issue: string | undefined): string | undefined {
  if (issue === undefined) return undefined;
  return issue === "too_small" ? m.issue_too_small() : m.issue_too_large();
}
