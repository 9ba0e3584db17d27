import { deleteCognitoUser } from "../../api/auth.ts";
import { fetchConfig } from "../../api/client.ts";
import { clearSession } from "../../api/session.ts";

/**
 * Ends the account that one signs in with, after everything else was deleted. Where the pool is the
 * deployment's own, the server did so already.
 */
export async function deleteSignInAccount(): Promise<void> {
  const { identity } = await fetchConfig();
  const isOwnPool = identity.endpoint.startsWith("/");
  if (isOwnPool) clearSession(identity);
  else await deleteCognitoUser();
}
