import { deleteAccount } from "../../api/auth.ts";
import { readDeployment } from "../../api/client.ts";
import { endSession } from "../../api/session.ts";

/**
 * Ends the account that one signs in with, after everything else was deleted. Where the pool is the
 * deployment's own, the server did so already.
 */
export async function endAccount(): Promise<void> {
  const { identity } = await readDeployment();
  const isOwnPool = identity.endpoint.startsWith("/");
  if (isOwnPool) endSession(identity);
  else await deleteAccount();
}
