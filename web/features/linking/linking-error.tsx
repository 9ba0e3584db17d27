import { m } from "../../messages/messages.js";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";

/** In place of a linking step: the status of the linking couldn't be loaded. */
export function LinkingError(caught: CaughtError) {
  return (
    <LoadError {...caught} heading="h1" title={m.linking_read_failed_title()}>
      {errorText(caught.error)} {m.linking_read_failed_text()}
    </LoadError>
  );
}
