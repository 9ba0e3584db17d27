import { deleteCognitoUser } from "../../api/auth.ts";
import { fetchConfig } from "../../api/client.ts";
import { clearSession } from "../../api/session.ts";

/**
 * Deletes the user pool's account after everything else. With the embedded pool, the server has already deleted it.
 */
export async function deleteSignInAccount(): Promise<void> {
  const { identity } = await fetchConfig();
  const isOwnPool = identity.endpoint.startsWith("/");
  if (isOwnPool) clearSession(identity);
  else await deleteCognitoUser();
}
