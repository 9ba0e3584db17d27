import { errorCodeOf } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";
import { errorMessage } from "../language/error-messages.ts";

/** In place of a list of blocks that couldn't be loaded. */
export function BlockListError(caught: CaughtError) {
  const { error } = caught;
  return (
    <div className="card">
      <LoadError {...caught} title={m.blocks_failed_title()}>
        {errorCodeOf(error) === "internal" ? m.blocks_failed_unknown() : errorMessage(error)}
        <br />
        {m.blocks_failed_text()}
      </LoadError>
    </div>
  );
}
