import { m } from "../../messages/messages.js";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";

/** In place of a step of linking: it could not be asked how far it is. */
export function LinkingError(caught: CaughtError) {
  return (
    <LoadError {...caught} heading="h1" title={m.linking_read_failed_title()}>
      {errorText(caught.error)} {m.linking_read_failed_text()}
    </LoadError>
  );
}
